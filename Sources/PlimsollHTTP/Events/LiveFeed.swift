import HTTPTypes
import Hummingbird
import NIOCore
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollStore
import PlimsollService
import ServiceLifecycle

/// The record as it grows, as server-sent events (WHATWG HTML, 9.2).
///
/// The id of a message is the position up to which everything has been told, so whoever comes
/// again with `Last-Event-ID` gets what follows, none twice and none left out. Even a reader who
/// has got no event yet knows where to go on: the first message has a place and no event.
struct LiveFeed: Sendable {
    let following: RecordFollowing

    /// How long nothing is said; proxies and readers take a longer silence for an end.
    private static let silence = Duration.seconds(15)

    /// Ends with the service, or when the reader may not read any more.
    var body: ResponseBody {
        ResponseBody { writer in
            var following = following
            try await writer.write(ByteBuffer(string: "retry: 1000\n" + place(following)))
            while !Task.isShuttingDownGracefully {
                guard let (events, now) = await next(following) else { break }
                following = now
                var bytes = ByteBuffer()
                for event in events { bytes.writeString(message(event)) }
                // Also tells a reader of few events how far it is, and finds out who has gone.
                if events.last?.position != now.position { bytes.writeString(place(now)) }
                try await writer.write(bytes)
            }
            try await writer.finish(nil)
        }
    }

    /// Nothing more comes once the service stops, its caller has lost the right, or the database is
    /// away: the answer has begun, so no problem can be told, and a reader comes again by itself
    /// and is told it then.
    private func next(
        _ following: RecordFollowing
    ) async -> (events: [AuditedEvent], following: RecordFollowing)? {
        await cancelWhenGracefulShutdown {
            var following = following
            guard let events = try? await following.next(patience: Self.silence) else { return nil }
            return (events, following)
        }
    }

    private func place(_ following: RecordFollowing) -> String { "id: \(following.position)\n\n" }

    private func message(_ event: AuditedEvent) -> String {
        let data = String(decoding: EventAnswer(event).bytes, as: UTF8.self)
        return "id: \(event.position)\ndata: \(data)\n\n"
    }
}

extension Request {
    /// Where a reader goes on who was cut off.
    func lastEventID() throws(Problem) -> Position? {
        guard let text = headers[.lastEventID] else { return nil }
        guard let position = Int64(text).flatMap(Position.init(rawValue:)) else {
            throw Problem(
                .invalidHeader,
                detail: "Last-Event-ID needs to be \(Position.grammar).",
                errors: [
                    Problem.Fault(
                        at: .header("Last-Event-ID"),
                        code: "valueWrong",
                        detail: "Last-Event-ID needs to be \(Position.grammar).",
                        remedy: "Send the id of the last message."
                    )
                ]
            )
        }
        return position
    }
}

extension EventQuery {
    /// Behind which position to begin where the question says since when; `nil` for now.
    var start: Position? {
        switch since {
        case .position(let position): position == .start ? .start : position.before
        case .time: .start
        case nil: nil
        }
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = knownName("Last-Event-ID")
    static let accelBuffering = knownName("X-Accel-Buffering")
}

import PlimsollAPI
import PlimsollDomain

/// Shows the record as it grows, and goes on where it stopped when the connection breaks.
struct Following {
    private let client: AdminClient
    private let filter: EventFilter
    private let people: People
    private let output: Output

    private static let pause = Duration.seconds(1)

    init(_ client: AdminClient, _ filter: EventFilter, _ people: People, _ output: Output) {
        (self.client, self.filter, self.people, self.output) = (client, filter, people, output)
    }

    /// Runs until it is interrupted, or until the service refuses.
    func run() async throws -> ExitStatus {
        var place: Position?
        while !Task.isCancelled {
            do throws(AdminError) {
                try await client.follow(filter, after: place) { message in
                    place = message.position
                    if let event = message.event { show(event) }
                }
            } catch {
                guard error.mayPass else { throw error }
                output.note("The connection broke; going on in a moment.")
            }
            try await Task.sleep(for: Self.pause)
        }
        return .done
    }

    private func show(_ event: EventAnswer) {
        let reason = event.origin.reason.map { "  (\(excerpt($0, 40)))" } ?? ""
        let line =
            "\(event.position)  \(event.recordedAt.rfc3339)  \(people.name(event.origin.actor))  "
            + legible(people.naming(in: event.sentence)) + reason
        output.show(Report(event.json, [.line(line)]))
    }
}

extension AdminError {
    /// Whether the same may go well in a moment.
    fileprivate var mayPass: Bool {
        switch kind {
        case .unreachable, .interrupted, .timedOut: true
        case .refused(let problem): problem.status == 503
        case .answerTooLarge, .notUnderstood, .cancelled: false
        }
    }
}

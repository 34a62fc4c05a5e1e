import HTTPTypes
import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import PlimsollAPI
import PlimsollHTTP
package import PlimsollLog
import PlimsollSystem
import ServiceLifecycle

/// How a witness brings a checkpoint with its line back to the log.
package typealias Posting = @Sendable (SignedCheckpoint) async throws -> Void

/// A host and a port that a witness listens at.
package struct WitnessAddress: Equatable, Sendable {
    package let host: String
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}

/// A witness that runs until it is told to stop, or until the log gives cause for alarm.
package struct WitnessInstance: Sendable {
    private let round: Round
    private let interval: Duration
    private let post: Posting?
    private let address: WitnessAddress?
    private let logger: Logger

    package init(
        _ round: Round,
        every interval: Duration,
        listeningAt address: WitnessAddress?,
        logger: Logger,
        post: Posting?
    ) {
        self.round = round
        self.interval = interval
        self.address = address
        self.logger = logger
        self.post = post
    }

    /// Throws a ``WitnessAlarm``; the answer that is on its way then is still given.
    package func run() async throws {
        let (alarms, alarm) = AsyncStream.makeStream(
            of: WitnessAlarm.self,
            bufferingPolicy: .bufferingOldest(1)
        )
        var services: [any Service] = [
            AlarmWatcher(alarms: alarms),
            WitnessRounds(round: round, interval: interval, post: post, logger: logger),
        ]
        if let address {
            services.append(
                WitnessListener(
                    address: address,
                    witness: round.witness,
                    alarms: alarm,
                    logger: logger
                )
            )
        }
        try await runServices(
            services,
            whenOneFails: .gracefullyShutdownGroup,
            logger: logger
        )
    }
}

/// Ends the witness when somebody has brought a checkpoint that contradicts what it has seen.
private struct AlarmWatcher: Service {
    let alarms: AsyncStream<WitnessAlarm>

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            for await alarm in alarms { throw alarm }
        }
    }
}

/// Takes checkpoints from whoever brings them: `POST /add-checkpoint` of c2sp.org/tlog-witness.
struct WitnessListener: Service {
    /// Nobody is known here: checkpoints say themselves whose they are.
    static let places = Places.Limits(known: 0)

    let address: WitnessAddress
    let witness: Witness
    let alarms: AsyncStream<WitnessAlarm>.Continuation
    let logger: Logger

    func run() async throws {
        try await application.run()
    }

    var application: some ApplicationProtocol {
        let router = Router()
        router.post("add-checkpoint") { request, _ in try await answer(to: request) }
        return Application(
            router: router,
            server: .administration(Places(Self.places)),
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port),
                serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    Self.places.connections
                )
            ),
            logger: logger
        )
    }

    private func answer(to request: Request) async throws -> Response {
        let body: [UInt8]
        do {
            let buffer = try await request.body.collect(upTo: SignedNote.byteCountMaximum)
            body = Array(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            return response(.malformed(NoteError.tooLong.description))
        }
        let (answer, alarm) = try await witness.answer(body)
        if let alarm { alarms.yield(alarm) }
        return response(answer)
    }

    private func response(_ answer: WitnessAnswer) -> Response {
        Response(
            status: HTTPResponse.Status(code: answer.status),
            headers: [.contentType: answer.contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        )
    }
}

/// Looks at a log again and again, and brings it what the witness says.
///
/// A log that cannot be read is no alarm: it is told once, and looked at again.
struct WitnessRounds: Service {
    let round: Round
    let interval: Duration
    let post: Posting?
    let logger: Logger

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await look() }
        } catch is CancellationError {
            return
        }
    }

    private func look() async throws {
        var posted: MerkleRoot?
        var complaint = ""
        while true {
            do {
                let cosigned = try await round.look()
                let root = cosigned.checkpoint.root
                if posted != root {
                    try await post?(cosigned)
                    posted = root
                    logger.info(
                        "cosigned",
                        metadata: ["log.size": "\(root.size)", "log.root": "\(root.hash)"]
                    )
                }
                complaint = ""
            } catch let alarm as WitnessAlarm {
                throw alarm
            } catch {
                try Task.checkCancellation()
                if complaint != "\(error)" {
                    logger.error("nothing is cosigned", metadata: ["error": "\(error)"])
                }
                complaint = "\(error)"
            }
            try await Task.sleep(for: interval)
        }
    }
}

import ArgumentParser
import FoundationEssentials
import Logging
import PlimsollAPI
import PlimsollLog
import PlimsollServer
import PlimsollWitness

/// What the options of the command come to.
struct Watching {
    private let command: WitnessCommand
    private let trust: LogTrust
    private let address: ServiceAddress
    private let name: KeyName?
    private let interval: Duration
    private let format: LogFormat
    private let listening: ListenAddress?

    private static let keyBytesMaximum = 4096

    init(_ command: WitnessCommand) throws {
        guard let address = ServiceAddress(command.log) else {
            throw ValidationError("--log needs to be \(ServiceAddress.grammar).")
        }
        guard let interval = Duration(written: command.every), interval > .zero else {
            throw ValidationError("--every needs to be \(Duration.grammar).")
        }
        if command.once, command.listen != nil {
            throw ValidationError("--once ends at once; leave it out to --listen.")
        }
        listening = try command.listen.map { text in
            guard let address = ListenAddress(text) else {
                throw ValidationError("--listen needs a host and a port such as 127.0.0.1:8090.")
            }
            return address
        }
        name = try command.name.map { text in
            guard let name = KeyName(text) else {
                throw ValidationError("--name needs to be a name without spaces and plus.")
            }
            return name
        }
        self.command = command
        self.address = address
        self.interval = interval
        format = try command.logging.format()
        trust = LogTrust(logKeys: [try Self.logKey(command.logKey)])
    }

    func withWitness(_ body: (Witness) async throws -> Void) async throws {
        try await Witness.with(
            of: trust,
            WitnessKeyFile(absolutePath(command.key), name: name),
            folder: absolutePath(command.state),
            clock: { Int(Date.now.timeIntervalSince1970) },
            body
        )
    }

    /// The token goes only where the service itself shows its log.
    func log(over transport: Transport) throws -> PublishedLog {
        let own = try command.service.address().text + "/v1/"
        let token = address.text.hasPrefix(own) ? try command.service.tokenIfGiven() : nil
        return PublishedLog(at: address, token: token, over: transport)
    }

    /// Without a token the line is kept to oneself.
    func posting(over transport: Transport) throws -> Posting? {
        guard let token = try command.service.tokenIfGiven() else { return nil }
        let client = AdminClient(at: try command.service.address(), token: token, over: transport)
        return { try await client.addCosignatures($0.bytes) }
    }

    /// Of an address that cannot be listened at, which option names it.
    func explained(_ error: any Error) -> any Error {
        listening.flatMap { ListenFailure(error, of: .init("--listen"), at: $0) } ?? error
    }

    func run(_ round: Round, _ post: Posting?) async throws {
        format.bootstrap()
        let logger = Logger(label: "plimsoll.witness")
        logger.info("watching", metadata: ["log": "\(address)", "key": "\(round.witness.key)"])
        try await WitnessInstance(
            round,
            every: interval,
            listeningAt: listening.map { WitnessAddress(host: $0.host, port: $0.port) },
            logger: logger,
            post: post
        ).run()
    }

    private static func logKey(_ text: String) throws -> VerifierKey {
        let line: String
        if (try? VerifierKey(parsing: text)) != nil {
            line = text
        } else {
            let bytes = try contents(of: text, upTo: keyBytesMaximum)
            line = String(
                decoding: bytes.last == 0x0A ? bytes.dropLast() : bytes[...],
                as: UTF8.self
            )
        }
        do {
            let key = try VerifierKey(parsing: line)
            guard key.kind == .note else { throw KeyTextError.otherKind(needed: .note) }
            return key
        } catch {
            throw Failure(.failed, "--log-key is no key of a log.", detail: legible("\(error)"))
        }
    }
}

import ArgumentParser
import FoundationEssentials
import Logging
import PlimsollAPI
import PlimsollJSON
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
        try refuseEmpty(command.key, "--key")
        try refuseEmpty(command.state, "--state")
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

/// `plimsoll witness`: sees to it that a log keeps to what it has signed.
struct WitnessCommand: CommonCommand {
    static let configuration = CommandConfiguration(
        commandName: "witness",
        abstract: "Watch a transparency log, cosign what extends it, and raise the alarm.",
        discussion: """
            Run it where nobody who runs the service can reach it. It keeps the last checkpoint it \
            has seen in --state, has each later one proven to extend it, cosigns that, and, with a \
            token of an auditor, brings its line to the service at PLIMSOLL_URL, which knows it by \
            --witness-key. A log that forks, shrinks or is rewritten ends it with status 8.

            The key is made if there is none; its public half lies in --state as the file key. \
            With --listen it also takes checkpoints at /add-checkpoint (C2SP tlog-witness).

            For example: plimsoll witness --log http://127.0.0.1:8081/distribution/log \
            --log-key log.vkey --key witness.key --state witness --once
            """
    )

    @Option(help: "The address that checkpoint and tiles lie under.")
    var log: String

    @Option(help: "The log's verifier key, or a file with it; from a source you trust.")
    var logKey: String

    @Option(help: "The file with the witness's private key; made where there is none.")
    var key: String

    @Option(help: "The folder to keep what was seen in.")
    var state: String

    @Option(help: "The name of a new key, such as witness.example.com.")
    var name: String?

    @Option(help: "How often to look.")
    var every = "60s"

    @Flag(help: "Look once and end.")
    var once = false

    @Option(help: "Where checkpoints are taken, such as 127.0.0.1:8090.")
    var listen: String?

    @OptionGroup var logging: LogOptions
    @OptionGroup var common: CommonOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let watching = try Watching(self)
        do {
            try await watching.withWitness { witness in
                try await Transport.with { transport in
                    let round = Round(try watching.log(over: transport), witness)
                    let post = try watching.posting(over: transport)
                    if once {
                        try await look(round, post, output)
                    } else {
                        try await watching.run(round, post)
                    }
                }
            }
            return .done
        } catch let alarm as WitnessAlarm {
            throw Failure(.verificationFailed, legible(alarm.description))
        } catch let failure as Failure {
            throw failure
        } catch let error as AdminError {
            throw error
        } catch {
            throw Failure(.failed, legible("\(watching.explained(error))"))
        }
    }

    private func look(_ round: Round, _ post: Posting?, _ output: Output) async throws {
        let cosigned = try await round.look()
        try await post?(cosigned)
        let (root, origin) = (cosigned.checkpoint.root, cosigned.checkpoint.origin)
        let json: JSONObject = [
            "origin": .string(origin.text), "size": .integer(Int64(root.size)),
            "root": .string(root.hash.description), "posted": .bool(post != nil),
            "witness": .string(round.witness.key.text),
        ]
        let line = "\(origin): \(root.size) events, root \(root.hash), cosigned"
        output.show(Report(json, [.check(passed: true, line)]))
    }
}

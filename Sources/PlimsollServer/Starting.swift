import Foundation
package import Logging
import Metrics
import PlimsollDomain
import PlimsollEdge
import PlimsollJSON
import PlimsollPostgres
import PlimsollService
import PlimsollStore
import PlimsollSystem
import ServiceLifecycle
import Synchronization

/// What is done once everything runs: let the first administrator in, seed the sample if that was
/// asked for, and say where to go.
///
/// Only then is the service ready.
struct Opening: Service {
    let configuration: ServerConfiguration
    let useCases: UseCases
    let writer: Writer
    let rest: RESTListener
    let front: EdgeStack
    let admitted: OneShot<Void>
    let showsToken: Bool
    let logger: Logger
    let show: @Sendable (Announcement) -> Void
    private let start = ContinuousClock.now

    private static let retryDelay: Duration = .milliseconds(250)
    private static let failureDelay: Duration = .seconds(5)

    func run() async throws {
        try await watchUntilShutdown {
            try await openWhenPossible()
            try await gracefulShutdown()
        }
    }

    /// A database that is away in the middle delays the opening, and so does one that refuses what it
    /// needs; every step of it may be repeated.
    private func openWhenPossible() async throws {
        while true {
            do {
                return try await open()
            } catch UseCaseError.storeAway {
                logger.notice("the database is away, the opening waits for it")
                try await Task.sleep(for: Self.retryDelay)
            } catch UseCaseError.unexpected(let cause) {
                // Phones are served meanwhile, which an end would keep from them.
                logger.error("the opening failed", metadata: ["error": "\(cause)"])
                try await Task.sleep(for: Self.failureDelay)
            }
        }
    }

    private func open() async throws {
        try await writer.whenOpen()
        // With a log that is not believed to its end the read models may never catch up.
        while writer.prohibition == nil, await !useCases.hasCaughtUp() {
            try Task.checkCancellation()
        }
        // Of a log that is not believed to its end, it is not known whose names lead to nobody.
        if writer.prohibition == nil {
            try await useCases.forgetErasedNames()
            try await useCases.forgetReservedNames()
        }
        let isFirst = writer.logState.position == .start && writer.prohibition == nil
        let token =
            isFirst
            ? try AdminToken.prepare(in: configuration.adminToken)
            : try AdminToken.kept(in: configuration.adminToken)
        if writer.prohibition == nil {
            if let token { try await useCases.admitFirstAdministrator(token.secret) }
            try await useCases.authenticateEntries()
        }
        var sample: AppSlug?
        if configuration.seedsSample, writer.prohibition == nil {
            sample = try await SampleApp(useCases: useCases, writer: writer).seed()
        }
        let announcement = Announcement(
            rest: try await rest.boundAddress().description,
            edge: try await front.edge.url(),
            admin: try token.map { try admin($0, isFirst: isFirst) },
            sample: sample,
            prohibition: writer.prohibition?.sentence
        )
        admitted.settle()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        Gauge(label: "plimsoll.log.start.seconds").record(seconds)
        show(announcement)
    }

    private func admin(_ token: AdminToken, isFirst: Bool) throws -> Announcement.Admin {
        guard try useCases.authenticate(secret: token.secret.text) != nil else {
            return Announcement.Admin(token: token, standing: .dead)
        }
        return Announcement.Admin(token: token, standing: isFirst && showsToken ? .shown : .valid)
    }
}

/// The token that the first start leaves behind, so that somebody can let the others in.
///
/// It is written before it is recorded: a start that dies in between finds the file, and records
/// the same token.
struct AdminToken: Sendable {
    let file: Path
    let secret: TokenSecret

    private static let sizeMaximum = 256

    /// Makes a token and keeps it, where none is; of instances that start at once all get one token.
    static func prepare(in file: Path) throws -> AdminToken {
        if let token = try kept(in: file) { return token }
        let secret = TokenSecret.random()
        do throws(FileError) {
            try file.writeDurablyOnce(Array((secret.text + "\n").utf8), permissions: .ownerOnly)
        } catch {
            guard error.isAlreadyThere, let token = try kept(in: file) else { throw error }
            return token
        }
        return AdminToken(file: file, secret: secret)
    }

    /// The token that was kept; somebody may have taken it away since.
    static func kept(in file: Path) throws -> AdminToken? {
        guard let bytes = try file.readSecretIfPresent(sizeMaximum: sizeMaximum) else {
            return nil
        }
        let line = bytes.prefix { $0 != 0x0A }
        guard let secret = TokenSecret(String(decoding: line, as: UTF8.self)) else {
            throw UnusableAdminToken(file: file)
        }
        return AdminToken(file: file, secret: secret)
    }
}

/// The file of the bootstrap token holds something else.
struct UnusableAdminToken: Error, CustomStringConvertible {
    let file: Path

    var description: String {
        "\(file) does not hold a token; move it away and start again, or put the token back."
    }
}

/// What an operator is told once everything runs.
///
/// It may go to a journal that many read and that is kept for years, so it names the file of the
/// administrator's token.
struct Announcement: CustomStringConvertible {
    /// The token that the first start left behind.
    struct Admin {
        enum TokenState {
            /// A person sees the first start on a terminal, and reads the token itself.
            case shown
            case valid
            /// Revoked, or unknown to this database.
            case dead
        }

        let token: AdminToken
        let standing: TokenState
    }

    let rest: String
    /// With its scheme.
    let edge: String
    /// `nil` where its file was taken away after the first start.
    let admin: Admin?
    let sample: AppSlug?
    /// Why nothing is written; `nil` where all is well.
    let prohibition: String?

    var description: String {
        let lines =
            [
                prohibition.map { "Plimsoll reads only. \($0)" } ?? "Plimsoll is ready.",
                "",
                "  console  http://\(rest)/",
                "  REST     http://\(rest)",
                "  phones   \(edge)",
            ] + adminLines + next + [""]
        return lines.joined(separator: "\n")
    }

    private var next: [String] {
        guard prohibition == nil else { return [] }
        return ["", "Try next:", ""] + commands.map { "  " + $0 }
    }

    private var adminLines: [String] {
        guard let admin else { return [] }
        let file = admin.token.file
        return switch admin.standing {
        case .shown:
            [
                "  admin    \(admin.token.secret.text)",
                "           shown this once; it is in \(file), and valid until it is revoked",
            ]
        case .valid: ["  admin    the token in \(file) is valid until it is revoked"]
        case .dead: ["  admin    the token in \(file) is not valid any more"]
        }
    }

    private var commands: [String] {
        let living = admin.flatMap { $0.standing == .dead ? nil : $0.token.file }
        let token = living.map { "$(cat \($0))" } ?? "plm_…"
        let client = "PLIMSOLL_URL=http://\(rest) PLIMSOLL_TOKEN=\(token) plimsoll"
        guard let sample else {
            return ["\(client) whoami", "\(client) apps register --help"]
        }
        return [
            "curl -i \(edge)/distribution/\(sample)/availability-ios",
            "\(client) token create --name alice --role proposer --app \(sample)",
        ]
    }
}

/// How what happens is written to standard error.
package enum LogFormat: String, CaseIterable, Sendable {
    /// For people.
    case text
    /// For programs: one object a line.
    case json

    package static let grammar = allCases.map(\.rawValue).joined(separator: " or ")

    /// Has every logger of the process write so; once a process.
    package func bootstrap() {
        switch self {
        case .text: LoggingSystem.bootstrap(StreamLogHandler.standardError)
        case .json:
            LoggingSystem.bootstrap { label in
                JSONLogHandler(label: label) { line in
                    // There is nobody to tell that nobody can be told.
                    try? standardError.withLock { try $0.write(contentsOf: line) }
                }
            }
        }
    }
}

/// So that no line is written into another.
private let standardError = Mutex(FileHandle.standardError)

/// Writes each message as one object of JSON on a line of its own.
///
/// What comes from outside stands in strings, where a line feed is `\n`: it can neither end the
/// line nor add a member. The metadata has an object of its own, so that none of its names is taken
/// for the message.
package struct JSONLogHandler: LogHandler {
    private let label: String
    private let write: @Sendable ([UInt8]) -> Void

    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    package init(label: String, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.label = label
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var facts = metadata
        facts.merge(metadataProvider?.get() ?? [:]) { _, new in new }
        if let error = event.error { facts["error"] = "\(error)" }
        facts.merge(event.metadata ?? [:]) { _, new in new }
        let line: JSONObject = [
            "time": .string(Instant(Date.now).description),
            "level": .string(event.level.rawValue),
            "logger": .string(label),
            "message": .string(event.message.description),
            "metadata": .object(JSONObject(facts)),
        ]
        write(line.canonicalBytes() + [UInt8(ascii: "\n")])
    }
}

extension JSONObject {
    fileprivate init(_ metadata: Logger.Metadata) {
        self.init(metadata.map { Member(key: $0.key, value: JSONValue($0.value)) })
    }
}

extension JSONValue {
    fileprivate init(_ value: Logger.MetadataValue) {
        self =
            switch value {
            case .string(let text): .string(text)
            case .stringConvertible(let value): .string(value.description)
            case .array(let values): .array(values.map { JSONValue($0) })
            case .dictionary(let facts): .object(JSONObject(facts))
            }
    }
}

/// Makes a database ready for the service, which then needs no other login than its own.
package struct SchemaMigration: Sendable {
    private let connection: ConnectionString
    private let migration: ConnectionString

    /// Takes how the service logs in, and how the owner of the database does.
    package init(database: String, migration: String) {
        connection = ConnectionString(database)
        self.migration = ConnectionString(migration)
    }

    /// Answers the version that the schema has.
    package func run() async throws(DatabaseFailure) -> Int {
        do {
            try await StoreSchema.prepare(connection, migratingWith: migration)
            return StoreSchema.migrations.count
        } catch {
            throw DatabaseFailure(
                description: "The database at \(connection) is not ready: \(error)"
            )
        }
    }
}

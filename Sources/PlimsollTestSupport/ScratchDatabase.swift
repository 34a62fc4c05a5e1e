import Foundation
package import PlimsollPostgres
import Synchronization
package import Testing

/// An empty database of its own for one test.
///
/// ```swift
/// @Suite(.scratchDatabase)
/// struct AppendTests {
///     @Test func `positions have no holes`() async throws {
///         let session = try await Session.open(ScratchDatabase.current.connection)
/// ```
package struct ScratchDatabase: Sendable {
    package let connection: ConnectionString
    package let name: String

    /// Where the scratch server is; a test that needs it fails when this says nothing.
    package static let environmentVariable = "PLIMSOLL_TEST_DATABASE_URL"

    @TaskLocal static var bound: ScratchDatabase?

    /// The running test's database.
    package static var current: ScratchDatabase {
        get throws(ScratchDatabaseMissing) {
            guard let bound else { throw .noTrait }
            return bound
        }
    }

    /// Creates a database, as a copy of the template if there is one.
    package static func create(
        for testID: String,
        template: String? = nil
    ) async throws -> ScratchDatabase {
        let server = try Self.server()
        let number = Self.number.add(1, ordering: .relaxed).newValue
        let name = "t\(number)_\(UInt32.random(in: .min ... .max))_\(slug(testID))"
        if let template {
            try await administer(
                server,
                "CREATE DATABASE \(identifier: name) TEMPLATE \(identifier: template)"
            )
        } else {
            try await administer(server, "CREATE DATABASE \(identifier: name)")
        }
        return ScratchDatabase(connection: server.replacing(database: name), name: name)
    }

    /// Drops the database, with all sessions that are still in it.
    package func drop() async throws {
        try await Self.administer(
            try Self.server(),
            "DROP DATABASE IF EXISTS \(identifier: name) WITH (FORCE)"
        )
    }

    private static func server() throws -> ConnectionString {
        guard let text = testEnvironment(environmentVariable), !text.isEmpty else {
            throw ScratchDatabaseMissing.noServer
        }
        return ConnectionString(text)
    }

    private static func administer(
        _ server: ConnectionString,
        _ statement: Statement
    ) async throws {
        let session = try await administrator(of: server)
        do {
            try await execute(statement, on: session)
        } catch {
            await session.close()
            throw error
        }
        administrators.withLock { $0.append(session) }
    }

    /// A session that nobody uses: the next test needs one too, and each costs the server a process.
    private static func administrator(of server: ConnectionString) async throws -> Session {
        if let session = administrators.withLock({ $0.popLast() }) { return session }
        var settings = SessionSettings()
        settings.statementTimeout = .seconds(240)
        settings.idleSessionTimeout = .zero
        return try await Session.open(server, settings: settings)
    }

    private static let administrators = Mutex([Session]())

    /// Tries again for a minute where a database is in use: whoever was told to leave it may get no
    /// processor within the 5 s that the server itself waits.
    private static func execute(_ statement: Statement, on session: Session) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            do throws(PostgresError) {
                try await session.execute(statement)
                return
            } catch {
                guard error.sqlState == "55006", ContinuousClock.now < deadline else { throw error }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// PostgreSQL cuts names at 63 bytes, so the unique part comes first.
    private static func slug(_ testID: String) -> String {
        let letters = testID.lowercased().unicodeScalars.map { scalar in
            scalar.isASCII && scalar.properties.isAlphabetic ? Character(scalar) : "_"
        }
        return String(letters.suffix(40))
    }

    private static let number = Atomic(0)
}

/// Why a test has no database.
package enum ScratchDatabaseMissing: Error, CustomStringConvertible {
    case noServer
    case noTrait

    package var description: String {
        switch self {
        case .noServer:
            "\(ScratchDatabase.environmentVariable) is not set: this test needs a PostgreSQL "
                + "server, for example \"host=/tmp/scratch user=postgres dbname=postgres\""
        case .noTrait:
            "this test asks for a scratch database without the trait .scratchDatabase"
        }
    }
}

/// Gives each test a database of its own and drops it afterwards, whatever became of the test.
package struct ScratchDatabaseTrait: SuiteTrait, TestTrait, TestScoping {
    let template: ScratchTemplate?

    package var isRecursive: Bool { true }

    // A suite passes the trait on to its tests; it needs no database itself.
    package func scopeProvider(
        for test: Test,
        testCase: Test.Case?
    ) -> ScratchDatabaseTrait? {
        testCase == nil ? nil : self
    }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await ScratchDatabaseGate.shared.enter()
        do {
            try await scope(test, function)
        } catch {
            await ScratchDatabaseGate.shared.leave()
            throw error
        }
        await ScratchDatabaseGate.shared.leave()
    }

    private func scope(
        _ test: Test,
        _ function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let name = try await template?.name()
        let database = try await ScratchDatabase.create(for: test.name, template: name)
        do {
            try await ScratchDatabase.$bound.withValue(database) { try await function() }
        } catch {
            try await database.drop()
            throw error
        }
        try await database.drop()
    }
}

extension Trait where Self == ScratchDatabaseTrait {
    /// An empty database for each test.
    package static var scratchDatabase: Self { Self(template: nil) }

    /// A copy, for each test, of a database that is filled once a process.
    package static func scratchDatabase(template: ScratchTemplate) -> Self {
        Self(template: template)
    }
}

/// A database that others are copied from, filled the first time it is needed.
///
/// Keep it in a global `let`, so that all suites share it. It is left behind when the process
/// ends; scratch servers are thrown away.
package struct ScratchTemplate: Sendable {
    private let made: MadeOnce<String>

    package init(_ title: String, _ fill: @escaping @Sendable (Session) async throws -> Void) {
        made = MadeOnce {
            let database = try await ScratchDatabase.create(for: "template_\(title)")
            // A template can be copied only while nobody is in it.
            try await Session.with(database.connection, fill)
            return database.name
        }
    }

    /// Filled by scripts, one after the other.
    package init(_ title: String, scripts: [[UInt8]]) {
        self.init(title) { session in
            for script in scripts { try await session.script(Statement(file: script)) }
        }
    }

    func name() async throws -> String { try await made.value() }
}

func testEnvironment(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name]
}

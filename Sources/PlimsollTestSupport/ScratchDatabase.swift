package import PlimsollPostgres
import Synchronization

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
    static func create(for testID: String, template: String?) async throws -> ScratchDatabase {
        let server = try Self.server()
        let name = "t\(Self.number.next())_\(UInt32.random(in: .min ... .max))_\(slug(testID))"
        try await Self.administer(server) { session in
            if let template {
                try await session.execute(
                    "CREATE DATABASE \(identifier: name) TEMPLATE \(identifier: template)"
                )
            } else {
                try await session.execute("CREATE DATABASE \(identifier: name)")
            }
        }
        return ScratchDatabase(connection: server.replacing(database: name), name: name)
    }

    /// Drops the database, with all sessions that are still in it.
    func drop() async throws {
        try await Self.administer(try Self.server()) { session in
            try await session.execute(
                "DROP DATABASE IF EXISTS \(identifier: name) WITH (FORCE)"
            )
        }
    }

    private static func server() throws -> ConnectionString {
        guard let text = testEnvironment(environmentVariable), !text.isEmpty else {
            throw ScratchDatabaseMissing.noServer
        }
        return ConnectionString(text)
    }

    private static func administer(
        _ server: ConnectionString,
        _ body: (Session) async throws -> Void
    ) async throws {
        let session = try await Session.open(server)
        do {
            try await body(session)
        } catch {
            await session.close()
            throw error
        }
        await session.close()
    }

    /// PostgreSQL cuts names at 63 bytes, so the unique part comes first.
    private static func slug(_ testID: String) -> String {
        let letters = testID.lowercased().unicodeScalars.map { scalar in
            scalar.isASCII && scalar.properties.isAlphabetic ? Character(scalar) : "_"
        }
        return String(letters.suffix(40))
    }

    private static let number = Counter()
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

private final class Counter: Sendable {
    private let last = Mutex(0)

    func next() -> Int {
        last.withLock { last in
            last += 1
            return last
        }
    }
}

import Foundation
import Logging
import PlimsollSystem
import Subprocess
import Testing

@testable import PlimsollPostgres

/// A state directory of a test's own, with what a test asks about the cluster in it.
struct ClusterFixture: Sendable {
    let state: Path

    static let logger = Logger(label: "cluster tests") { _ in SwiftLogNoOpLogHandler() }

    /// Runs the body with a new state directory and removes it afterwards.
    static func with(
        named name: String = "state",
        _ body: (ClusterFixture) async throws -> Void
    ) async throws {
        let unique = "plimsoll-cluster-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let folder = Path(NSTemporaryDirectory() + unique)
        try folder.createFolder()
        do {
            try await body(ClusterFixture(state: folder / name))
            try folder.removeTree()
        } catch {
            try folder.removeTree()
            throw error
        }
    }

    var folders: ClusterFolders { ClusterFolders(stateDirectory: state) }

    func cluster(
        restartsMaximum: Int = 0,
        programs: Path? = nil,
        otherRoles: [String] = []
    ) -> PrivateCluster {
        PrivateCluster(
            configuration: .init(
                stateDirectory: state,
                programsDirectory: programs,
                restartsMaximum: restartsMaximum,
                otherRoles: otherRoles
            ),
            logger: Self.logger
        )
    }

    func command() throws -> AccountCommand {
        AccountCommand(account: try .forCluster(named: nil, home: folders.home))
    }

    /// The installed server that the cluster uses.
    func programs() async throws -> ServerPrograms {
        try await .find(in: nil, forData: nil, dataFolder: folders.data, as: try command())
    }

    /// Starts the server once, so that there is a cluster, and leaves it stopped.
    func makeCluster() async throws {
        _ = try await cluster().withServer { connection in
            try await query(
                "CREATE TABLE kept (value int); INSERT INTO kept VALUES (1)",
                connection
            )
        }
    }

    /// The number of rows that ``makeCluster()`` and ``insert`` left.
    func rows() async throws -> String {
        try await cluster().withServer { try await query("SELECT count(*) FROM kept", $0) }
    }

    /// Where first starts are or were under way.
    func unfinishedAttempts() throws -> [Path] {
        guard try folders.home.isFolder() else { return [] }
        return try folders.home.entries()
            .filter { $0.hasPrefix("data.new-") }
            .map { folders.home / $0 }
    }

    /// Fails unless the folder is as a service that starts next will want it.
    func expectNothingLeft() throws {
        let leftovers = Leftovers(folders: folders, logger: Self.logger)
        #expect(try leftovers.occupants().isEmpty)
    }
}

struct QueryFailed: Error {
    let words: String
}

/// Asks with PostgreSQL's own client, from this process's account.
@discardableResult
func query(_ sql: String, _ connection: String) async throws -> String {
    let result = try await Subprocess.run(
        .name("psql"),
        arguments: ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", connection, "-c", sql],
        environment: .custom(["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]),
        output: .string(limit: 65_536),
        error: .string(limit: 65_536)
    )
    guard result.terminationStatus.isSuccess else {
        throw QueryFailed(words: result.standardError)
    }
    return result.standardOutput.trimmingBlanks
}

/// Waits until it is cancelled, as work on a server that lives does.
func waitForCancellation() async throws {
    try await Task.sleep(for: .seconds(3600))
}

import Glibc
import PlimsollSystem
import ServiceLifecycle
import Subprocess
import Testing

@testable import PlimsollPostgres

/// How the cluster begins, lives and ends when nobody does it harm.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct PrivateClusterTests {
    @Test func `a first start makes a cluster and a second finds it again`() async throws {
        try await ClusterFixture.with { fixture in
            try await fixture.makeCluster()
            #expect(try await fixture.rows() == "1")
            try fixture.expectNothingLeft()
            let log = try fixture.folders.log.read(sizeMaximum: 65_536)
            #expect(String(decoding: log, as: UTF8.self).contains("database system is shut down"))
        }
    }

    @Test func `it is closed to the network and to others, and loses nothing`() async throws {
        try await ClusterFixture.with { fixture in
            let answers = try await fixture.cluster().withServer { connection in
                try await query(
                    """
                    SELECT string_agg(name || '=' || setting, ' ' ORDER BY name) FROM pg_settings
                    WHERE name IN ('fsync', 'synchronous_commit', 'data_checksums',
                        'listen_addresses', 'full_page_writes', 'server_encoding')
                    """,
                    connection
                )
            }
            #expect(
                answers == "data_checksums=on fsync=on full_page_writes=on listen_addresses= "
                    + "server_encoding=UTF8 synchronous_commit=on"
            )
            let folders = fixture.folders
            #expect(try folders.home.status()?.permissions == .folderOfOwner)
            #expect(try folders.socket.status()?.permissions == .folderOfOwner)
            let owner = try folders.data.status()?.owner
            #expect(owner == (try fixture.command().account.userID))
            #expect(owner != 0)
        }
    }

    @Test func `only the account and root are let in, as the roles that are named`() async throws {
        try await ClusterFixture.with { fixture in
            let cluster = fixture.cluster(otherRoles: ["no one"])
            try await cluster.withServer { connection in
                try await query("CREATE ROLE \"no one\" LOGIN; CREATE ROLE guest LOGIN", connection)
                for refused in ["postgres", "guest"] {
                    let error = await #expect(throws: QueryFailed.self) {
                        let other = "user=\(refused)"
                        try await query(
                            "SELECT",
                            connection.replacing("user=plimsoll", with: other)
                        )
                    }
                    #expect(error?.words.contains("Peer authentication failed") == true)
                }
                let guest = connection.replacing("user=plimsoll", with: "user='no one'")
                #expect(try await query("SELECT session_user", guest) == "no one")
                let outcome = try await fixture.command()
                    .run("psql", ["-XAtq", "-d", connection, "-c", "SELECT current_user"])
                #expect(outcome.output == "plimsoll")
            }
        }
    }

    @Test(arguments: [
        "a state, with 'quotes' and \"more\" \\ of them",
        "umlauts-äöü-and-a-dash",
        String(repeating: "long-", count: 30),
    ])
    func `it lives in folders of any name`(name: String) async throws {
        try await ClusterFixture.with(named: name) { fixture in
            let answer = try await fixture.cluster().withServer { try await query("SELECT 7", $0) }
            #expect(answer == "7")
            try fixture.folders.socket.removeTree()
        }
    }

    @Test func `graceful shutdown of its group stops the server`() async throws {
        try await ClusterFixture.with { fixture in
            let cluster = fixture.cluster()
            let group = ServiceGroup(
                services: [cluster],
                logger: ClusterFixture.logger
            )
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await group.run() }
                try await cluster.whenReady()
                try await query("SELECT 1", cluster.connection)
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
            }
            try fixture.expectNothingLeft()
            await #expect(throws: CancellationError.self) { try await cluster.whenReady() }
        }
    }

    @Test func `the server is stopped when the work fails, and its error stays`() async throws {
        struct WorkFailed: Error {}
        try await ClusterFixture.with { fixture in
            await #expect(throws: WorkFailed.self) {
                try await fixture.cluster().withServer { _ in throw WorkFailed() }
            }
            try fixture.expectNothingLeft()
        }
    }

    // The parent-death signal belongs to the thread that forked. A server forked from a thread
    // of a pool dies when the pool retires the thread, after some seconds of idleness; so this
    // test has to be idle, and nothing can be polled for.
    @Test func `it survives idleness, and Ctrl-C in the terminal`() async throws {
        try await ClusterFixture.with { fixture in
            let cluster = fixture.cluster()
            try await cluster.withServer { connection in
                let process = try #require(cluster.processID)
                #expect(getsid(process) == process)
                try await Task.sleep(for: .seconds(12))
                #expect(cluster.processID == process)
                #expect(try await query("SELECT 1", connection) == "1")
            }
        }
    }
}

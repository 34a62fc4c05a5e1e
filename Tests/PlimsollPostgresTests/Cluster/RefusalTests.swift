import Glibc
import PlimsollSystem
import Testing

@testable import PlimsollPostgres

/// What the cluster refuses, and that it changes nothing then.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RefusalTests {
    @Test func `a second service on the same folder is refused`() async throws {
        try await ClusterFixture.with { fixture in
            try await fixture.cluster().withServer { connection in
                let error = await #expect(throws: ClusterError.self) {
                    try await fixture.cluster().withServer { _ in }
                }
                guard case .inUse(fixture.state, let explanation) = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(explanation.contains("process \(getpid())"))
                try await query("SELECT 1", connection)
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "an ordinary user runs the server under the own account"))
    func `a folder that the account cannot enter is named`() async throws {
        try await ClusterFixture.with(named: "closed/state") { fixture in
            let closed = fixture.state.parent
            try closed.createFolder(permissions: .folderOfOwner)
            let error = await #expect(throws: ClusterError.self) {
                try await fixture.cluster().withServer { _ in }
            }
            let account = try fixture.command().account.name
            #expect(
                error
                    == .notReachable(closed, needed: fixture.folders.home, account: account)
            )
            #expect(error?.description.contains("--data") == true)
            #expect(try closed.status()?.permissions == .folderOfOwner)
        }
    }

    @Test func `data of a version that is not installed is left alone`() async throws {
        try await ClusterFixture.with { fixture in
            try await fixture.makeCluster()
            let installed = try await fixture.programs().major
            let version = fixture.folders.versionFile
            try await fixture.command()
                .require("sh", ["-c", "echo 9 >\"$0\"", version.string])
            let error = await #expect(throws: ClusterError.self) {
                try await fixture.cluster().withServer { _ in }
            }
            let data = fixture.folders.data
            #expect(
                error == .versionMismatch(data: 9, folder: data, installed: [installed])
            )
            #expect(error?.description.contains("pg_upgrade") == true)

            try await fixture.command()
                .require("sh", ["-c", "echo \(installed) >\"$0\"", version.string])
            #expect(try await fixture.rows() == "1")
        }
    }

    @Test func `a data folder without a version is left alone`() async throws {
        try await ClusterFixture.with { fixture in
            try await fixture.makeCluster()
            let version = fixture.folders.versionFile
            try await fixture.command().require("sh", ["-c", "echo mine >\"$0\"", version.string])
            await #expect(throws: ClusterError.unreadableVersion(version, "mine")) {
                try await fixture.cluster().withServer { _ in }
            }
            try version.removeFile()
            await #expect(throws: FileError.self) {
                try await fixture.cluster().withServer { _ in }
            }
            #expect(try (fixture.folders.data / "base").isFolder())
        }
    }

    @Test func `a folder without programs is named`() async throws {
        try await ClusterFixture.with { fixture in
            let empty = fixture.state.parent / "programs"
            try empty.createFolder()
            await #expect(throws: ClusterError.noProgramsIn(empty)) {
                try await fixture.cluster(programs: empty).withServer { _ in }
            }
        }
    }

    @Test func `a server that does not start says why`() async throws {
        try await ClusterFixture.with { fixture in
            try await fixture.makeCluster()
            let settings = fixture.folders.data / "postgresql.conf"
            try await fixture.command()
                .require("sh", ["-c", "echo 'no_such = 1' >>\"$0\"", settings.string])
            let error = await #expect(throws: ClusterError.self) {
                try await fixture.cluster().withServer { _ in }
            }
            #expect(error?.description.contains("no_such") == true)
            #expect(error?.description.contains("server.log") == true)
        }
    }

    @Test func `one that could not be started is ready once it is run again and can be`()
        async throws
    {
        try await ClusterFixture.with { fixture in
            try fixture.state.createFolder()
            let obstacle = fixture.folders.home
            try obstacle.writeDurably([])
            let cluster = fixture.cluster()
            await #expect(throws: (any Error).self) { try await cluster.run() }
            await #expect(throws: (any Error).self) { try await cluster.whenReady() }

            try obstacle.removeFile()
            try await withThrowingDiscardingTaskGroup { tasks in
                tasks.addTask(name: "server") { try await cluster.run() }
                // Until it runs again, what is known is how it ended.
                #expect(await eventually { (try? await cluster.whenReady()) != nil })
                let answer = try await query("SELECT 7", cluster.connection)
                #expect(answer == "7")
                tasks.cancelAll()
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give folders away"))
    func `a folder of somebody else is refused`() async throws {
        try await ClusterFixture.with { fixture in
            try await fixture.makeCluster()
            let configuration = PrivateCluster.Configuration(
                stateDirectory: fixture.state,
                accountName: "daemon"
            )
            let error = await #expect(throws: ClusterError.self) {
                try await PrivateCluster(
                    configuration: configuration,
                    logger: ClusterFixture.logger
                ).withServer { _ in }
            }
            guard case .folderOfAnother(fixture.folders.home, _, "daemon") = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "an ordinary user runs the server under the own account"))
    func `an account that does not exist is named`() async throws {
        try await ClusterFixture.with { fixture in
            let configuration = PrivateCluster.Configuration(
                stateDirectory: fixture.state,
                accountName: "no-such-account"
            )
            await #expect(throws: ClusterError.accountUnknown("no-such-account")) {
                try await PrivateCluster(
                    configuration: configuration,
                    logger: ClusterFixture.logger
                ).withServer { _ in }
            }
        }
    }

    @Test(
        arguments: [
            ("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)", 15),
            ("postgres (PostgreSQL) 17beta1", 17),
            ("postgres (PostgreSQL) 18.0", 18),
            ("command not found", nil),
            ("", nil),
            ("postgres (PostgreSQL) devel", nil),
        ] as [(String, Int?)]
    )
    func `a version is read from what the server says`(answer: String, major: Int?) {
        #expect(ServerPrograms.major(inAnswer: answer) == major)
    }
}

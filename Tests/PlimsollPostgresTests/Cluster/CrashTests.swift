import Glibc
import PlimsollSystem
import Subprocess
import Testing

@testable import PlimsollPostgres

/// Everything that may die, dies, and the next start finds what was there.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CrashTests {
    @Test func `a killed server ends the run with an error and loses nothing`() async throws {
        try await ClusterFixture.with { fixture in
            try await fixture.makeCluster()
            let cluster = fixture.cluster()
            let error = await #expect(throws: ClusterError.self) {
                try await cluster.withServer { _ in
                    kill(try #require(cluster.processID), SIGKILL)
                    try await waitForCancellation()
                }
            }
            guard case .ended = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(cluster.processID == nil)
            #expect(try await fixture.rows() == "1")
        }
    }

    @Test func `a killed server is started again as often as allowed`() async throws {
        try await ClusterFixture.with { fixture in
            let cluster = fixture.cluster(restartsMaximum: 1)
            await #expect(throws: ClusterError.self) {
                try await cluster.withServer { connection in
                    let first = try #require(cluster.processID)
                    kill(first, SIGKILL)
                    #expect(await eventually { cluster.processID.map { $0 != first } ?? false })
                    try await cluster.whenReady()
                    #expect(try await query("SELECT 1", connection) == "1")

                    kill(try #require(cluster.processID), SIGKILL)
                    try await waitForCancellation()
                }
            }
        }
    }

    @Test func `a server that worked is started again at once, however often it is killed`()
        async throws
    {
        try await ClusterFixture.with { fixture in
            let cluster = fixture.cluster(restartsMaximum: 10)
            try await cluster.withServer { _ in
                var waits: [Duration] = []
                for _ in 1...7 {
                    let process = try #require(cluster.processID)
                    let start = ContinuousClock.now
                    kill(process, SIGKILL)
                    #expect(await eventually { cluster.processID.map { $0 != process } ?? false })
                    waits.append(.now - start)
                }
                // A start takes as long as the machine needs; the last ones as long as the others.
                let (first, last) = (try #require(waits.first), try #require(waits.suffix(2).min()))
                #expect(last < first + .seconds(3), "\(waits)")
            }
        }
    }

    @Test func `a killed service takes its server along`() async throws {
        try await ClusterFixture.with { fixture in
            try await fixture.makeCluster()
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [place = fixture.state.string as String] in
                try await ClusterFixture(state: Path(place)).cluster().withServer { connection in
                    try await query("INSERT INTO kept VALUES (2)", connection)
                    kill(getpid(), SIGKILL)
                    try await waitForCancellation()
                }
            }
            #expect(try await fixture.rows() == "2")
        }
    }

    // Where process 1 does not reap, the killed server stays as a zombie and its number in
    // postmaster.pid is taken for a living server by PostgreSQL itself.
    @Test func `service and server killed at once leave nothing in the way`() async throws {
        try await ClusterFixture.with { fixture in
            try await fixture.makeCluster()
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [place = fixture.state.string as String] in
                let cluster = ClusterFixture(state: Path(place)).cluster()
                try await cluster.withServer { connection in
                    try await query("INSERT INTO kept VALUES (2)", connection)
                    kill(cluster.processID ?? 0, SIGKILL)
                    kill(getpid(), SIGKILL)
                    try await waitForCancellation()
                }
            }
            #expect(try await fixture.rows() == "2")
        }
    }

    @Test func `a server that outlived its service is stopped and replaced`() async throws {
        try await ClusterFixture.with { fixture in
            try await fixture.makeCluster()
            let orphan = try await startOrphan(in: fixture)
            let cluster = fixture.cluster()
            let rows = try await cluster.withServer { connection in
                #expect(cluster.processID != orphan)
                return try await query("SELECT count(*) FROM kept", connection)
            }
            #expect(rows == "1")
        }
    }

    @Test func `backends that outlived their server are ended`() async throws {
        try await ClusterFixture.with { fixture in
            try await fixture.makeCluster()
            let orphan = try await startOrphan(in: fixture)
            // A stopped process notices nothing, least of all that its parent is gone.
            let leftovers = Leftovers(folders: fixture.folders, logger: ClusterFixture.logger)
            // This one is there all the time, and no other process waits for it.
            var writer: Int32?
            _ = try await eventually {
                writer = try leftovers.occupants().first { title(of: $0) == "background writer" }
                return writer != nil
            }
            let stopped = try #require(writer)
            kill(stopped, SIGSTOP)
            kill(orphan, SIGKILL)
            #expect(try await eventually { try leftovers.occupants() == [stopped] })

            async let rows = fixture.rows()
            kill(stopped, SIGCONT)
            #expect(try await rows == "1")
        }
    }

    /// What a server process is for, as it says itself.
    private func title(of process: Int32) -> String {
        let file = Path("/proc") / "\(process)" / "cmdline"
        let words = try? file.read(sizeMaximum: 4096).prefix { $0 != 0 }
        return String(decoding: words ?? [], as: UTF8.self).split(separator: ": ").last
            .map { String($0).trimmingBlanks } ?? ""
    }

    @Test func `a process file that names a living stranger is not believed`() async throws {
        try await ClusterFixture.with { fixture in
            try await fixture.makeCluster()
            let command = try fixture.command()
            // The stranger has the server's account: PostgreSQL takes it for a server.
            _ = try await Subprocess.run(
                command.configuration("sleep", ["3600"]),
                input: .none,
                output: .discarded,
                error: .discarded
            ) { stranger in
                let file = fixture.folders.processFile
                let number = stranger.processIdentifier.value
                try await command.require("sh", ["-c", "echo \(number) >\"$0\"", file.string])
                #expect(try await fixture.rows() == "1")
                #expect(kill(number, 0) == 0, "the stranger lives on")
                kill(number, SIGKILL)
            }
        }
    }

    @Test func `a process file that is empty or says nonsense is no obstacle`() async throws {
        try await ClusterFixture.with { fixture in
            try await fixture.makeCluster()
            let file = fixture.folders.processFile
            for nonsense in ["", "-1", "99999999999999999999", "hello"] {
                try await fixture.command()
                    .require("sh", ["-c", "printf %s '\(nonsense)' >\"$0\"", file.string])
                #expect(try PostmasterFile(file) == nil)
            }
        }
    }

    @Test(arguments: [
        "cluster.initialise.begun",
        "cluster.initialise.made",
        "cluster.initialise.database",
        "cluster.initialise.done",
    ])
    func `a first start that was killed is made up for`(point: String) async throws {
        try await ClusterFixture.with { fixture in
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [point = point as String, place = fixture.state.string as String] in
                let killAtPoint: FaultPoint.Injection = { name throws(FileError) in
                    if name == point { kill(getpid(), SIGKILL) }
                }
                try await FaultPoint.$injection.withValue(killAtPoint) {
                    try await ClusterFixture(state: Path(place)).makeCluster()
                }
            }
            try await fixture.makeCluster()
            #expect(try await fixture.rows() == "1")
            #expect(try fixture.unfinishedAttempts().isEmpty)
        }
    }

    @Test(arguments: ["PG_VERSION", "base/1", "base/5"])
    func `a first start that was killed within a step is made up for`(
        sign: String
    ) async throws {
        try await ClusterFixture.with { fixture in
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [sign = sign as String, place = fixture.state.string as String] in
                let fixture = ClusterFixture(state: Path(place))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await fixture.cluster().withServer { _ in } }
                    let came = try await eventually {
                        try fixture.unfinishedAttempts()
                            .contains { try ($0 / sign).status() != nil }
                    }
                    #expect(came)
                    kill(getpid(), SIGKILL)
                    try await group.waitForAll()
                }
            }
            try await fixture.makeCluster()
            #expect(try await fixture.rows() == "1")
        }
    }

    /// A server as it remains when its service is killed and no signal reached it.
    private func startOrphan(in fixture: ClusterFixture) async throws -> Int32 {
        let process = ServerProcess(
            folders: fixture.folders,
            programs: try await fixture.programs(),
            command: try fixture.command()
        )
        let start = #"env -i setsid setpriv --pdeathsig clear -- "$@" >/dev/null 2>&1 &"#
        try await fixture.command()
            .require("sh", ["-c", start, "plimsoll", process.programs.server] + process.settings)
        let file = fixture.folders.processFile
        #expect(try await eventually { try PostmasterFile(file)?.isReady == true })
        return try #require(try PostmasterFile(file)).processID
    }
}

import Foundation
import Glibc
import PlimsollAPI
import PlimsollTestSupport
import Subprocess
import Testing

/// A folder in which the service runs, as often as a test starts it.
///
/// Nothing outlives the body: a service that still runs is stopped by its process id, its private
/// PostgreSQL goes with it, and the folder is removed. Where the test fails, what the service
/// wrote goes with the report.
struct ServerFixture: Sendable {
    /// Everything of this test; the account of the private PostgreSQL can enter it.
    let folder: URL
    let transport: Transport
    /// Tells services apart that run in the folder at the same time.
    private var name = "service"
    /// How to reach the database; `nil` for a private PostgreSQL.
    private var database: String?
    /// Where the administration and the edge listen; any port is one that is free.
    private var addresses = (rest: "127.0.0.1:0", edge: "127.0.0.1:0")
    /// Whether the first run makes everything by itself instead of finding it made.
    private var isEmpty = false

    init(folder: URL, transport: Transport) {
        self.folder = folder
        self.transport = transport
    }

    var data: URL { folder.appending(path: "data") }
    private var log: URL { folder.appending(path: "\(name).log") }
    private var announcement: URL { folder.appending(path: "\(name).announcement") }

    /// The same folder, for a service with another database.
    func on(_ database: String) -> ServerFixture {
        var fixture = self
        fixture.database = database
        return fixture
    }

    /// The same folder, for services that listen at these ports, one after the other.
    func listening(at rest: Int, _ edge: Int) -> ServerFixture {
        var fixture = self
        fixture.addresses = ("127.0.0.1:\(rest)", "127.0.0.1:\(edge)")
        return fixture
    }

    /// The same folder, for a service that has never been started before.
    func empty() -> ServerFixture {
        var fixture = self
        fixture.isEmpty = true
        return fixture
    }

    /// The same folder and database, for a service beside the others.
    func named(_ name: String) -> ServerFixture {
        var fixture = self
        fixture.name = name
        return fixture
    }

    static func with(_ body: (ServerFixture) async throws -> Void) async throws {
        let name = "plimsoll-service-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let folder = URL(fileURLWithPath: NSTemporaryDirectory() + name)
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755]
        )
        do {
            try await Transport.with { transport in
                try await body(ServerFixture(folder: folder, transport: transport))
            }
        } catch {
            record(folder)
            try FileManager.default.removeItem(at: folder)
            throw error
        }
        try FileManager.default.removeItem(at: folder)
    }

    private static func record(_ folder: URL) {
        for name in ["service.log", "second.log", "data/postgres/server.log"] {
            // A log that is not there has nothing to tell.
            guard let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
            else { continue }
            Attachment.record(text, named: name.replacing("/", with: "-"))
        }
    }

    /// How a run of the service begins.
    enum Beginning {
        /// Everything works before the body is called.
        case ready
        /// Only the edge listens: the database is expected to be away.
        case edge
        /// The process was started, and may die at any moment.
        case started
    }

    /// Starts the service, calls the body and stops what is left of the service.
    @discardableResult
    func run(
        _ beginning: Beginning = .ready,
        environment: [String: String] = [:],
        _ body: (RunningServer) async throws -> Void
    ) async throws -> TerminationStatus {
        if database == nil, !isEmpty {
            try await FirstStart.lay(into: data)
        }
        return try await start(beginning, environment: environment, body)
    }

    /// As ``run(_:environment:_:)`` does, on whatever lies in the folder.
    @discardableResult
    func start(
        _ beginning: Beginning,
        environment: [String: String] = [:],
        _ body: (RunningServer) async throws -> Void
    ) async throws -> TerminationStatus {
        try Data().write(to: log)
        try Data().write(to: announcement)
        let become = #"out=$1; log=$2; shift 2; exec "$@" >"$out" 2>>"$log""#
        let arguments =
            ["-c", become, "sh", announcement.path, log.path, try Program.plimsoll(), "serve"]
            + ["--data", data.path, "--sample", "--listen", addresses.rest]
            + ["--public-listen", addresses.edge]
        var environment = environment
        environment["PLIMSOLL_DATABASE_URL"] = database
        environment["PLIMSOLL_STOP_GRACE"] = environment["PLIMSOLL_STOP_GRACE"] ?? "0"
        var options = PlatformOptions()
        options.teardownSequence = [
            .send(signal: .terminate, allowedDurationToNextStep: .seconds(60))
        ]
        let result = try await Subprocess.run(
            .name("sh"),
            arguments: Arguments(arguments),
            environment: .inherit.updating(environment.subprocess),
            platformOptions: options,
            input: .none,
            output: .discarded,
            error: .discarded
        ) { execution in
            let server = RunningServer(
                fixture: self,
                processID: execution.processIdentifier.value
            )
            try await server.wait(for: beginning)
            try await body(server)
            server.send(SIGTERM)
        }
        return result.terminationStatus
    }

    /// Fails the test unless `plimsoll verify log` finds the log whole, and what was published true.
    func expectVerified() async throws {
        let program = try Program.plimsoll()
        let outcome = try await eventually("the log can be read") {
            let outcome = try await Program.run(
                program,
                ["verify", "log"] + (database.map { ["--database-url", $0] } ?? []),
                environment: ["PLIMSOLL_DATA": data.path]
            )
            // A database that was killed a moment ago may still be starting anew.
            return outcome.errors.contains("connection to PostgreSQL is closed") ? nil : outcome
        }
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    /// A copy of what is published, made anew where a file went away meanwhile.
    func copyOfExport(_ name: String) async throws -> URL {
        let copy = folder.appending(path: name)
        let arguments = ["-a", data.appending(path: "export").path, copy.path]
        return try await eventually("a whole copy") { () -> URL? in
            let made = try await Program.run("cp", arguments, environment: ["LC_ALL": "C"])
            if made.status == 0 { return copy }
            try #require(made.errors.contains("No such file or directory"), "\(made.errors)")
            try FileManager.default.removeItem(at: copy)
            return nil
        }
    }

    /// What the service wrote to its log so far in this run.
    func logText() throws -> String { try String(contentsOf: log, encoding: .utf8) }

    func announcementText() throws -> String {
        try String(contentsOf: announcement, encoding: .utf8)
    }

    func adminToken() throws -> String {
        try String(contentsOf: data.appending(path: "admin-token"), encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

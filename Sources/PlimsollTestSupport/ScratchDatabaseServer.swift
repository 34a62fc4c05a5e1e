import Foundation
package import PlimsollPostgres
import Subprocess
import SystemPackage

/// A PostgreSQL server for one test, which may stop, kill and freeze it.
///
/// It lies in a temporary folder, listens on a Unix socket only, and is owned by `postgres`
/// when the tests run as root.
package struct ScratchDatabaseServer: Sendable {
    /// How the server is told to stop.
    package enum StopMode: String, Sendable {
        case fast
        /// As if the machine had lost its power.
        case immediate
    }

    package let folder: String
    private let programs: String
    private let settings: [String]

    package var connection: ConnectionString {
        ConnectionString("host=\(folder) user=postgres dbname=postgres")
    }

    /// Creates and starts a server, and removes it when the body is done.
    package static func with<Value>(
        settings: [String] = [],
        _ body: (ScratchDatabaseServer) async throws -> Value
    ) async throws -> Value {
        let server = try await create(settings)
        return try await server.removing {
            let cluster = try await initialCluster.value()
            try await finish("/bin/cp", ["-a", "\(cluster)/data", server.folder])
            try await server.start()
            return try await body(server)
        }
    }

    /// Runs beside this one another server that goes on from the copy, as a standby that was promoted.
    package func withSuccessor<Value>(
        _ body: (ScratchDatabaseServer) async throws -> Value
    ) async throws -> Value {
        let successor = try await Self.create()
        return try await successor.removing {
            let data = "\(successor.folder)/data"
            try await finish("/bin/cp", ["-a", "\(folder)/earlier", data])
            try Data().write(to: URL(filePath: "\(data)/standby.signal"))
            try await successor.start()
            try await successor.promote()
            return try await body(successor)
        }
    }

    private func removing<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            let value = try await body()
            try await remove()
            return value
        } catch {
            try await remove()
            throw error
        }
    }

    /// A session for what is not about connecting: a machine that runs many tests at once may take
    /// its time.
    package func open() async throws -> Session {
        var settings = SessionSettings()
        settings.connectTimeout = .seconds(60)
        return try await Session.open(connection, settings: settings)
    }

    package func start() async throws {
        try await start(also: [])
    }

    private func start(also more: [String]) async throws {
        var options = ["-k", folder, "-c", "listen_addresses=", "-c", "fsync=on"]
        for setting in settings + more { options += ["-c", setting] }
        try await control([
            "-w", "-l", "\(folder)/log", "-o", options.joined(separator: " "), "start",
        ])
    }

    package func stop(_ mode: StopMode = .fast) async throws {
        try await control(["-w", "-m", mode.rawValue, "stop"])
    }

    /// Keeps what the server has now, which is stopped for that.
    package func keepCopy() async throws {
        try await stop()
        try await finish("/bin/rm", ["-rf", "\(folder)/earlier"])
        try await finish("/bin/cp", ["-a", "\(folder)/data", "\(folder)/earlier"])
        try await start()
    }

    /// Goes on from the copy, as a standby does that had received no more when it was promoted.
    ///
    /// The body runs just before that one begins.
    package func goBack(_ body: () async throws -> Void = {}) async throws {
        try await stop(.immediate)
        try await finish("/bin/rm", ["-rf", "\(folder)/data"])
        try await finish("/bin/cp", ["-a", "\(folder)/earlier", "\(folder)/data"])
        try await body()
        try await start()
    }

    /// Runs a standby of that name, which only keeps what it is sent, for as long as the body runs.
    package func withStandby<Value>(
        named name: String,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let kept = "\(folder)/received"
        let owner = Self.isRoot ? ["-o", "postgres"] : []
        try await finish("/usr/bin/install", ["-d"] + owner + [kept])
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(name: "standby") {
                try await asServer(
                    "pg_receivewal",
                    [
                        "--synchronous", "--directory", kept,
                        "--dbname", "host=\(folder) user=postgres application_name=\(name)",
                    ]
                )
            }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    package func promote() async throws {
        try await control(["-w", "promote"])
    }

    /// Sends a signal, such as `STOP`, to the process that takes connections.
    package func signal(_ name: String) async throws {
        let file = try String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
        let number = file.split(separator: "\n").first.map(String.init) ?? ""
        try await finish("/bin/kill", ["-s", name, number])
    }

    /// Sends a signal to one server process.
    package func signal(_ name: String, process: Int) async throws {
        try await finish("/bin/kill", ["-s", name, String(process)])
    }

    /// Makes the server listen on a port of the loopback address too, with TLS and a certificate
    /// that it signed itself.
    package func encrypt() async throws -> ConnectionString {
        try await finish(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-subj", "/CN=localhost", "-days", "2", "-keyout", "\(folder)/data/server.key",
                "-out", "\(folder)/data/server.crt",
            ]
        )
        if Self.isRoot {
            try await finish("/bin/chown", ["postgres", "\(folder)/data/server.key"])
        }
        try await stop()
        let port = try await startEncrypted(attempts: 3)
        return ConnectionString(
            "host=localhost hostaddr=127.0.0.1 port=\(port) user=postgres dbname=postgres "
                + "sslmode=require"
        )
    }

    /// Starts it at a port that nobody has; one that is drawn may be taken.
    private func startEncrypted(attempts: Int) async throws -> Int {
        let port = Int.random(in: 20_000..<30_000)
        do {
            try await start(
                also: ["listen_addresses=127.0.0.1", "port=\(port)", "ssl=on"]
            )
            return port
        } catch {
            let said = try String(contentsOfFile: "\(folder)/log", encoding: .utf8)
            guard attempts > 1, said.contains("Address already in use") else { throw error }
            return try await startEncrypted(attempts: attempts - 1)
        }
    }

    private static func create(_ settings: [String] = []) async throws -> ScratchDatabaseServer {
        let folder =
            NSTemporaryDirectory() + "plimsoll-test-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: false
        )
        let server = ScratchDatabaseServer(
            folder: folder,
            programs: try programsFolder(),
            settings: settings
        )
        if isRoot { try await finish("/bin/chown", ["postgres", folder]) }
        return server
    }

    /// The folder in which `initdb` made a cluster; left behind, as what lies beside it is.
    private static let initialCluster = MadeOnce<String> {
        let server = try await create()
        try await server.asServer(
            "initdb",
            ["-D", "\(server.folder)/data", "-U", "postgres", "--auth=trust", "--no-sync"]
        )
        return server.folder
    }

    private func remove() async throws {
        // It may be stopped already, or frozen.
        try? await signal("CONT")
        try? await stop(.immediate)
        try FileManager.default.removeItem(atPath: folder)
    }

    private static var isRoot: Bool { NSUserName() == "root" }

    private static func programsFolder() throws -> String {
        let base = "/usr/lib/postgresql"
        let versions = try FileManager.default.contentsOfDirectory(atPath: base)
            .compactMap { Int($0) }
        guard let newest = versions.max() else { throw ScratchDatabaseMissing.noServer }
        return "\(base)/\(newest)/bin"
    }

    private func control(_ arguments: [String]) async throws {
        try await asServer("pg_ctl", ["-D", "\(folder)/data"] + arguments)
    }

    private func asServer(_ program: String, _ arguments: [String]) async throws {
        let path = "\(programs)/\(program)"
        if Self.isRoot {
            let account = ["--reuid=postgres", "--regid=postgres", "--init-groups", "--", path]
            try await finish("/usr/bin/setpriv", account + arguments)
        } else {
            try await finish(path, arguments)
        }
    }
}

/// A program that a test needs did not do its work.
package struct ProgramFailure: Error, CustomStringConvertible {
    package let description: String
}

/// Runs a program to its end.
///
/// Not with Foundation's `Process`, which would wait for all that inherit its descriptors: for
/// the server too.
private func finish(_ path: String, _ arguments: [String]) async throws {
    let result = try await Subprocess.run(
        .path(FilePath(path)),
        arguments: Arguments(arguments),
        environment: .custom(["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]),
        workingDirectory: "/",
        input: .none,
        output: .discarded,
        error: .discarded
    )
    guard result.terminationStatus.isSuccess else {
        let line = ([path] + arguments).joined(separator: " ")
        throw ProgramFailure(description: "\(line) ended with \(result.terminationStatus)")
    }
}

/// Lets a few tests at a time work with the scratch server, in the order they came.
///
/// A test run starts all its tests at once. On a small machine they would all take as long as
/// the whole run, and those that measure time would measure each other.
actor ScratchDatabaseGate {
    static let shared = ScratchDatabaseGate(width: 6)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(width: Int) { free = width }

    func enter() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        guard waiting.isEmpty else {
            waiting.removeFirst().resume()
            return
        }
        free += 1
    }
}

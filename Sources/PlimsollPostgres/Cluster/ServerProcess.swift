import PlimsollSystem
import Subprocess

/// One run of the server, from its start to its end.
struct ServerProcess {
    let folders: ClusterFolders
    let programs: ServerPrograms
    let command: AccountCommand

    /// Recovery after a crash reads the log since the last checkpoint, which takes its time.
    static let startTimeout: Duration = .seconds(600)
    private static let pollInterval: Duration = .milliseconds(10)

    // SIGINT is PostgreSQL's fast shutdown: sessions end, everything is written. SIGQUIT ends
    // at once and leaves a recovery to the next start; so does SIGKILL. Nothing is lost by any.
    private static let stopSequence: [TeardownStep] = [
        .send(signal: .interrupt, allowedDurationToNextStep: .seconds(20)),
        .send(signal: .quit, allowedDurationToNextStep: .seconds(5)),
    ]

    private enum Step: Sendable {
        case ready
        case ended(TerminationStatus)
    }

    /// Runs until the server ends, answering how; cancelled, it stops the server first.
    ///
    /// `ready` is called with the server's process id once it takes connections.
    func run(ready: @escaping @Sendable (Int32) -> Void) async throws -> TerminationStatus {
        try keepFormerLog()
        let (started, processIDs) = AsyncStream.makeStream(
            of: Int32.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        return try await withThrowingTaskGroup(of: Step.self) { group in
            group.addTask(name: "private PostgreSQL") {
                .ended(try await launch(announcing: processIDs))
            }
            group.addTask(name: "readiness of the private PostgreSQL") {
                for await processID in started {
                    try await waitUntilReady(processID)
                    ready(processID)
                }
                return .ready
            }
            while let step = try await group.next() {
                guard case .ended(let status) = step else { continue }
                group.cancelAll()
                return status
            }
            throw CancellationError()
        }
    }

    private func launch(
        announcing processIDs: AsyncStream<Int32>.Continuation
    ) async throws -> TerminationStatus {
        var options = PlatformOptions()
        // Ctrl-C in a terminal goes to the whole session; the server is stopped by us, last.
        options.createSession = true
        options.teardownSequence = Self.stopSequence
        let result = try await Subprocess.run(
            command.configuration("sh", arguments, platformOptions: options),
            input: .none,
            output: .discarded,
            error: .discarded
        ) { execution in
            processIDs.yield(execution.processIdentifier.value)
            processIDs.finish()
        }
        return result.terminationStatus
    }

    /// A shell opens the log with the account's rights and then becomes the server, so the
    /// process keeps its id and its parent-death signal.
    private var arguments: [String] {
        let becomeServer = #"umask 077; log=$1; shift; exec "$@" >>"$log" 2>&1"#
        return ["-c", becomeServer, "plimsoll", folders.log.string, programs.server] + settings
    }

    /// What must hold whatever somebody writes into `postgresql.conf`.
    var settings: [String] {
        // A list to PostgreSQL: in double quotes, a comma in the folder's name separates nothing.
        let socket = folders.socket.string.replacing("\"", with: "\"\"")
        return [
            "-D", folders.data.string,
            "-p", "\(ClusterFolders.port)",
            "-c", "listen_addresses=",
            "-c", "unix_socket_directories=\"\(socket)\"",
            "-c", "unix_socket_permissions=0700",
            "-c", "cluster_name=plimsoll",
            "-c", "logging_collector=off",
            "-c", "log_checkpoints=off",
        ]
    }

    /// A log a run: the last two are kept, so they never grow without end.
    private func keepFormerLog() throws {
        guard try folders.log.status() != nil else { return }
        try folders.log.rename(to: folders.formerLog)
    }

    private func waitUntilReady(_ processID: Int32) async throws {
        let deadline = ContinuousClock.now + Self.startTimeout
        while true {
            // The file may still be that of an earlier server.
            if let file = try PostmasterFile(folders.processFile), file.isReady,
                file.processID == processID
            {
                return
            }
            guard ContinuousClock.now < deadline else {
                throw ClusterError.notReady(after: Self.startTimeout, log: lastWords())
            }
            try await Task.sleep(for: Self.pollInterval)
        }
    }

    /// The end of the server's log, for an error's sentence.
    func lastWords() -> String {
        // Only the explanation of another error is lost.
        let log = (try? folders.log.read(sizeMaximum: 1 << 20)) ?? []
        let lines = String(decoding: log, as: UTF8.self).split(separator: "\n").suffix(3)
        return lines.joined(separator: " / ") + " (see \(folders.log))"
    }
}

/// What the server says about itself in `postmaster.pid`.
///
/// A line each: process, data folder, start, port, socket folder, address, shared memory, state.
/// `pg_ctl` waits for the state the same way.
struct PostmasterFile {
    let processID: Int32
    /// `ready` as soon as connections are taken.
    let isReady: Bool

    /// Nil where there is no file, or one that is still being written.
    init?(_ file: Path) throws(FileError) {
        guard let bytes = try file.readIfPresent(sizeMaximum: 4096) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).trimmingBlanks }
        guard let first = lines.first, let number = Int32(first), number > 0 else { return nil }
        processID = number
        isReady = lines.count > 7 && lines[7] == "ready"
    }
}

/// One installed PostgreSQL server.
struct ServerPrograms: Sendable, Hashable {
    let folder: Path
    let major: Int

    var server: String { (folder / "postgres").string }
    var initialise: String { (folder / "initdb").string }

    /// The installed server that fits the data: the same major version, or the newest one when
    /// there is no data yet.
    static func find(
        in configured: Path?,
        forData dataMajor: Int?,
        dataFolder: Path,
        as command: AccountCommand
    ) async throws -> ServerPrograms {
        let candidates = try configured.map { [$0] } ?? usualFolders()
        var installed: [ServerPrograms] = []
        for folder in candidates {
            if let programs = try await ServerPrograms(in: folder, as: command) {
                installed.append(programs)
            }
        }
        guard !installed.isEmpty else {
            throw configured.map(ClusterError.noProgramsIn)
                ?? .serverNotInstalled(searched: roots.map(\.folder))
        }
        guard let dataMajor else {
            return installed.max { $0.major < $1.major } ?? installed[0]
        }
        guard let fitting = installed.first(where: { $0.major == dataMajor }) else {
            throw ClusterError.versionMismatch(
                data: dataMajor,
                folder: dataFolder,
                installed: Set(installed.map(\.major)).sorted()
            )
        }
        return fitting
    }

    /// Nil where not both programs lie there and run.
    init?(in folder: Path, as command: AccountCommand) async throws {
        guard
            try (folder / "postgres").status() != nil,
            try (folder / "initdb").status() != nil
        else { return nil }
        let outcome = try await command.run((folder / "postgres").string, ["-V"])
        guard outcome.isSuccess, let major = Self.major(inAnswer: outcome.output) else {
            return nil
        }
        self.folder = folder
        self.major = major
    }

    /// The 15 of `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`, also of `15beta1`.
    static func major(inAnswer answer: String) -> Int? {
        guard let version = answer.split(separator: ") ").dropFirst().first else { return nil }
        return Int(version.prefix { $0.isWholeNumber && $0.isASCII })
    }

    /// Where distributions install servers side by side: a folder, and the start of the names
    /// in it that are a version each, with the programs below.
    private static let roots: [(folder: Path, prefix: String, programs: String)] = [
        ("/usr/lib/postgresql", "", "bin"),
        ("/usr", "pgsql-", "bin"),
        ("/usr/libexec", "postgresql", ""),
        ("/usr/local", "pgsql", "bin"),
        ("/usr/local", "bin", ""),
        ("/usr", "bin", ""),
    ]

    private static func usualFolders() throws(FileError) -> [Path] {
        var folders: [Path] = []
        for (root, prefix, programs) in roots where try root.isFolder() {
            for name in try root.entries() where name.hasPrefix(prefix) {
                folders.append(programs.isEmpty ? root / name : root / name / programs)
            }
        }
        return folders
    }
}

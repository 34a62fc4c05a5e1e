package import Logging
package import PlimsollSystem
import ServiceLifecycle
import Synchronization

/// A PostgreSQL of the service's own, for when no database URL is given.
///
/// It lives in the state directory, listens on a Unix socket that only its account and root can
/// use, and runs for as long as ``run()`` does. It is safe against every way of dying: of the
/// service (the server stops with it), of the server (``run()`` ends with an error or starts it
/// again, as configured), of both, and of the machine. It never deletes data: a cluster of
/// another major version, or of another owner, is an error that says what to do.
///
/// ```swift
/// let cluster = PrivateCluster(configuration: .init(stateDirectory: state), logger: logger)
/// try await cluster.withServer { connection in
///     try await migrate(connection)
///     try await services.run()
/// }
/// ```
///
/// As a `Service` it belongs first into the group, since services stop in reverse; the others
/// then begin with ``whenReady()``.
package final class PrivateCluster: Service {
    package let configuration: Configuration
    /// How to connect as the superuser who owns everything, known before there is a server.
    package let connection: String

    private let folders: ClusterFolders
    private let logger: Logger
    private let ready = OneShot<Void>()
    private let server = Mutex<Int32?>(nil)

    /// A service that was killed takes a moment to vanish, and its lock with it.
    package static let lockPatience = Duration.seconds(3)
    package static let restartForgivenAfter = Duration.seconds(60)

    package init(configuration: Configuration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        folders = ClusterFolders(stateDirectory: configuration.stateDirectory)
        connection = folders.connection
    }

    /// The server's process, while it takes connections.
    package var processID: Int32? { server.withLock { $0 } }

    /// Returns once the server takes connections; throws what kept it from that.
    package func whenReady() async throws {
        try await ready.value
    }

    /// Prepares, starts and watches the server, and stops it on graceful shutdown or cancellation.
    ///
    /// Ends with an error when the server cannot be started or ends unasked, and may be called
    /// again then.
    package func run() async throws {
        // What became of an earlier run says nothing about this one.
        ready.reset()
        do {
            try await cancelWhenGracefulShutdown { try await self.serveUntilStopped() }
            end(CancellationError())
        } catch {
            end(error)
            throw error
        }
    }

    /// Whoever waits or will wait gets the error.
    private func end(_ error: any Error) {
        ready.reset()
        ready.settle(.failure(error))
    }

    /// Runs the body while the server is up, and stops the server afterwards.
    ///
    /// When the server ends unasked the body is cancelled and the error is that of the server.
    package func withServer<Answer: Sendable>(
        _ body: @escaping @Sendable (_ connection: String) async throws -> Answer
    ) async throws -> Answer {
        try await withThrowingTaskGroup(of: Answer?.self) { group in
            group.addTask(name: "private PostgreSQL") {
                try await self.run()
                return nil
            }
            group.addTask(name: "work on the private PostgreSQL") {
                try await self.whenReady()
                return try await body(self.connection)
            }
            while let answer = try await group.next() {
                guard let answer else { continue }
                group.cancelAll()
                return answer
            }
            throw CancellationError()
        }
    }
}

extension PrivateCluster {
    private func serveUntilStopped() async throws {
        do {
            let lock = try await takeLock()
            defer { withExtendedLifetime(lock) {} }
            try await serve()
        } catch {
            // Being stopped is no error, wherever it found us.
            guard Task.isCancelled else { throw error }
            logger.info("the private PostgreSQL is stopped")
        }
    }

    private func takeLock() async throws -> FileLock {
        try configuration.stateDirectory.createFolder()
        do {
            return try await FileLock.acquire(folders.lock, patience: Self.lockPatience)
        } catch let error as FileError where error.isHeldByAnother {
            throw ClusterError.inUse(
                configuration.stateDirectory,
                explanation: error.explanation ?? error.description
            )
        }
    }

    private func serve() async throws {
        var failures = 0
        // How many starts in a row never came to take connections.
        var vain = 0
        while true {
            let process = try await prepare()
            let start = ContinuousClock.now
            let status = try await process.run(ready: isReady)
            let wasReady = server.withLock { $0.take() } != nil
            try Task.checkCancellation()

            ready.reset()
            let livedLong = start.duration(to: .now) > Self.restartForgivenAfter
            failures = livedLong ? 1 : failures + 1
            let error = ClusterError.ended(status: "\(status)", log: process.lastWords())
            guard failures <= configuration.restartsMaximum else { throw error }
            logger.error(
                "the private PostgreSQL ended unasked and is started again",
                metadata: ["error": "\(error)"]
            )
            // One that worked is started again at once, however often it dies.
            vain = wasReady ? 0 : vain + 1
            try await Task.sleep(for: .milliseconds(100 << min(vain, 6)))
        }
    }

    private func isReady(_ process: Int32) {
        server.withLock { $0 = process }
        logger.info("the private PostgreSQL is ready", metadata: ["process": "\(process)"])
        ready.settle()
    }

    /// Nothing where the machine has a name for us.
    private func lendName(to account: Account) throws -> NameLending? {
        guard Account.current == nil else { return nil }
        let library = try NameLending.installed()
        guard let names = NameLending(in: configuration.stateDirectory, library: library) else {
            throw ClusterError.namelessAccount(userID: account.userID)
        }
        try names.write(account)
        return names
    }

    /// Everything up to the start: idempotent, since it may have been interrupted anywhere.
    private func prepare() async throws -> ServerProcess {
        let account = try Account.forCluster(
            named: configuration.accountName,
            home: folders.home
        )
        let command = AccountCommand(account: account, names: try lendName(to: account))
        try await FolderPreparation(folders: folders, command: command).prepare()
        let dataMajor = try folders.dataMajor()
        let programs = try await ServerPrograms.find(
            in: configuration.programsDirectory,
            forData: dataMajor,
            dataFolder: folders.data,
            as: command
        )
        try await Leftovers(folders: folders, logger: logger).clear()
        let initialisation = Initialisation(folders: folders, programs: programs, command: command)
        try await initialisation.sweep()
        if dataMajor == nil {
            logger.info("making a private PostgreSQL", metadata: ["folder": "\(folders.data)"])
            try await initialisation.run()
        }
        let roles = [Initialisation.role] + configuration.otherRoles
        try AccessRules(account: account, roles: roles).write(to: folders)
        return ServerProcess(folders: folders, programs: programs, command: command)
    }
}

extension PrivateCluster {
    /// Where the private server lives and who runs it.
    package struct Configuration: Sendable {
        /// Holds the folder `postgres`, and may hold the service's own files beside it.
        package let stateDirectory: Path
        /// Where `postgres` and `initdb` lie; searched for when nil.
        package var programsDirectory: Path?
        /// Who runs the server when we are root; chosen among the usual ones when nil.
        package var accountName: String?
        /// How often in a row a server that ended unasked is started again before giving up.
        ///
        /// A server that stayed up for ``PrivateCluster/restartForgivenAfter`` counts anew.
        package var restartsMaximum = 0
        /// Roles, besides the owner's, that the account and root may log in as.
        ///
        /// Whoever connects as the owner makes them.
        package var otherRoles: [String] = []

        package init(
            stateDirectory: Path,
            programsDirectory: Path? = nil,
            accountName: String? = nil,
            restartsMaximum: Int = 0,
            otherRoles: [String] = []
        ) {
            precondition(
                stateDirectory.isAbsolute,
                "the server works in another folder than we do, so its own is named in full"
            )
            self.stateDirectory = stateDirectory
            self.programsDirectory = programsDirectory
            self.accountName = accountName
            self.restartsMaximum = restartsMaximum
            self.otherRoles = otherRoles
        }
    }
}

/// Why the private server cannot be had, as a sentence for the operator.
package enum ClusterError: Error, Sendable, Hashable {
    case programMissing(String)
    case serverNotInstalled(searched: [Path])
    case noProgramsIn(Path)
    /// The data was made by one major version and only others are installed.
    case versionMismatch(data: Int, folder: Path, installed: [Int])
    case unreadableVersion(Path, String)
    case accountUnknown(String)
    case noAccount(tried: [String])
    case namelessAccount(userID: UInt32)
    case folderOfAnother(Path, owner: UInt32, needed: String)
    case notReachable(Path, needed: Path, account: String)
    case inUse(Path, explanation: String)
    case leftoverProcesses([Int32], folder: Path)
    case commandFailed(String, output: String)
    case notReady(after: Duration, log: String)
    case ended(status: String, log: String)
}

extension ClusterError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .programMissing(let name):
            "the program \(name) is needed to run a private PostgreSQL and is not installed"
        case .serverNotInstalled(let searched):
            "no PostgreSQL server is installed (looked in \(list(searched))); install it, for "
                + "example with `apt-get install postgresql`, or give a database URL"
        case .noProgramsIn(let folder):
            "\(folder) has no postgres and initdb that this account can run"
        case .versionMismatch(let data, let folder, let installed):
            versionSentence(data: data, folder: folder, installed: installed)
        case .unreadableVersion(let file, let text):
            "\(file) says \"\(text)\", which is no version of PostgreSQL; the folder is not touched"
        case .accountUnknown(let name):
            "there is no account \(name) to run PostgreSQL"
        case .noAccount(let tried):
            "PostgreSQL refuses to run as root, and there is none of the accounts "
                + "\(tried.joined(separator: ", "))"
        case .namelessAccount(let userID):
            "PostgreSQL needs an account with a name, and user \(userID) has none; install "
                + "libnss_wrapper (`apt-get install libnss-wrapper`), give the user a line in "
                + "/etc/passwd, or give a database URL"
        case .folderOfAnother(let folder, let owner, let needed):
            "\(folder) belongs to user \(owner), not to \(needed), who runs PostgreSQL here"
        case .notReachable(let folder, let needed, let account):
            "the account \(account), who runs PostgreSQL here, cannot enter \(folder) and so "
                + "not reach \(needed); choose another folder with --data, or let it in"
        case .inUse(let folder, let explanation):
            "another service uses \(folder): \(explanation)"
        case .leftoverProcesses(let processes, let folder):
            "processes \(list(processes)) of an earlier PostgreSQL still work in \(folder) and do "
                + "not end"
        case .commandFailed(let command, let output):
            "\(command) failed: \(output)"
        case .notReady(let duration, let log):
            "PostgreSQL did not become ready within \(duration): \(log)"
        case .ended(let status, let log):
            "the private PostgreSQL ended unasked (\(status)): \(log)"
        }
    }

    private func versionSentence(data: Int, folder: Path, installed: [Int]) -> String {
        "\(folder) was made by PostgreSQL \(data), and installed is \(list(installed)); install "
            + "\(data) again (`apt-get install postgresql-\(data)`), or move the data with "
            + "`pg_upgrade`, which needs both. Nothing was changed"
    }

    private func list(_ values: [some CustomStringConvertible]) -> String {
        values.map(\.description).joined(separator: ", ")
    }
}

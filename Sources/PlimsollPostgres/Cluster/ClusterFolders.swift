import Glibc
import Logging
import PlimsollSystem

/// The places of one private cluster, all below its state directory.
struct ClusterFolders: Sendable, Hashable {
    /// Ours: taken by the one service that may use the cluster.
    let lock: Path
    /// The account's, closed to others: everything below belongs to it.
    let home: Path
    let data: Path
    let socket: Path
    let log: Path
    let formerLog: Path

    init(stateDirectory: Path) {
        lock = stateDirectory / "postgres.lock"
        home = stateDirectory / "postgres"
        data = home / "data"
        log = home / "server.log"
        formerLog = home / "server.log.1"
        socket = Self.socketFolder(in: home)
    }

    var processFile: Path { data / "postmaster.pid" }
    var socketLockFile: Path { socket / ".s.PGSQL.\(Self.port).lock" }
    var versionFile: Path { data / "PG_VERSION" }

    /// Nil where there is no cluster yet.
    func dataMajor() throws -> Int? {
        guard try data.status() != nil else { return nil }
        let text = String(decoding: try versionFile.read(sizeMaximum: 64), as: UTF8.self)
        guard let major = Int(text.trimmingBlanks) else {
            throw ClusterError.unreadableVersion(versionFile, text.trimmingBlanks)
        }
        return major
    }

    /// What libpq calls a connection string.
    var connection: String {
        let host = socket.string
            .replacing("\\", with: "\\\\")
            .replacing("'", with: "\\'")
        return "host='\(host)' port=\(Self.port) user=\(Initialisation.role) "
            + "dbname=\(Initialisation.database)"
    }

    static let port = 5432

    /// A Unix socket's address holds 107 bytes, and PostgreSQL adds a name of its own.
    private static func socketFolder(in home: Path) -> Path {
        let usual = home / "run"
        let longest = (usual / ".s.PGSQL.\(port).lock").string.utf8.count
        guard longest > 107 else { return usual }
        return Path("/tmp/plimsoll-\(String(stableHash(home.string), radix: 36))")
    }

    /// FNV-1a: the same in every process, which Swift's own hashing is not.
    private static func stableHash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}

/// Makes the cluster's folders and sees to it that the account can use them.
///
/// Only folders of the cluster itself are given away or closed; those above are the operator's,
/// so they are never widened: what the account cannot reach is an error that says so.
struct FolderPreparation {
    let folders: ClusterFolders
    let command: AccountCommand

    private var account: Account { command.account }

    func prepare() async throws {
        try claim(folders.home)
        try await refuseUnreachable()
        try claim(folders.socket)
    }

    /// Makes a folder that only the account can enter, or checks that it is one.
    private func claim(_ folder: Path) throws {
        if try folder.status() == nil {
            try folder.createFolder(permissions: .folderOfOwner)
            if !account.isOurs {
                try folder.changeOwner(to: account)
            }
        }
        guard let status = try folder.status(), status.kind == .folder else {
            throw FileError(.create, folder, code: ENOTDIR, explanation: "something else is there")
        }
        guard status.owner == account.userID else {
            throw ClusterError.folderOfAnother(folder, owner: status.owner, needed: account.name)
        }
        if status.permissions != .folderOfOwner {
            try folder.setPermissions(.folderOfOwner)
        }
    }

    private func refuseUnreachable() async throws {
        if try await command.run("test", ["-w", folders.home.string]).isSuccess { return }
        for folder in ancestors(of: folders.home) {
            if try await command.run("test", ["-x", folder.string]).isSuccess { continue }
            throw ClusterError.notReachable(folder, needed: folders.home, account: account.name)
        }
        throw ClusterError.notReachable(folders.home, needed: folders.home, account: account.name)
    }

    /// From the root downwards.
    private func ancestors(of path: Path) -> [Path] {
        var chain: [Path] = []
        var folder = path
        while folder.string != "/" {
            folder = folder.parent
            chain.insert(folder, at: 0)
        }
        return chain
    }
}

/// Makes the data folder of a new cluster.
///
/// It is built beside its place and renamed when it is whole, so half a cluster never looks like
/// one, and whatever is interrupted here is done again from the beginning at the next start.
/// Every attempt has a name of its own: the programs of a killed one may go on for a moment, and
/// `initdb` then removes what it made. It synchronizes what it writes.
struct Initialisation {
    let folders: ClusterFolders
    let programs: ServerPrograms
    let command: AccountCommand

    static let role = "plimsoll"
    static let database = "plimsoll"
    private static let unfinishedMark = "data.new-"

    func run() async throws {
        let place = folders.home / "\(Self.unfinishedMark)\(UInt64.random(in: 0 ... .max))"
        try FaultPoint.reached("cluster.initialise.begun")
        try await command.require(
            programs.initialise,
            [
                "--pgdata", place.string, "--username", Self.role,
                "--auth-local", "peer", "--auth-host", "reject",
                "--encoding", "UTF8", "--locale", "C.UTF-8", "--data-checksums",
            ]
        )
        try FaultPoint.reached("cluster.initialise.made")
        try await createDatabase(in: place)
        try FaultPoint.reached("cluster.initialise.database")
        try place.rename(to: folders.data)
        try folders.home.synchronizeFolder()
        try FaultPoint.reached("cluster.initialise.done")
    }

    /// Removes what interrupted attempts left, as far as their last programs let go of it.
    func sweep() async throws {
        for name in try folders.home.entries() where name.hasPrefix(Self.unfinishedMark) {
            // What fails now, because something is still written there, is gone next time.
            _ = try await command.run("rm", ["-rf", "--", (folders.home / name).string])
        }
    }

    /// By the server in its single-user mode, so that nobody can connect to half a cluster.
    private func createDatabase(in place: Path) async throws {
        try await command.require(
            programs.server,
            ["--single", "-D", place.string, "postgres"],
            input: "CREATE DATABASE \(Self.database)\n"
        )
    }
}

/// Ends what an earlier server left behind.
///
/// `postmaster.pid` and the socket's lock file prove nothing: their number may belong to a zombie that nobody reaps or to
/// some other process by now, and PostgreSQL would refuse to start in both cases. What counts is
/// which living PostgreSQL processes work in the data folder: the postmaster and all of its
/// children change into it.
///
/// Runs while the cluster's lock is held, so nobody else starts a server meanwhile.
struct Leftovers {
    let folders: ClusterFolders
    let logger: Logger

    /// A killed service's server is already stopping, since it got a signal; it gets this long.
    static let grace: Duration = .seconds(2)
    static let stopTimeout: Duration = .seconds(15)
    static let abortTimeout: Duration = .seconds(5)
    private static let pollInterval: Duration = .milliseconds(20)

    func clear() async throws {
        guard try folders.data.isFolder() else { return }
        if try await vanish(within: Self.grace) {
            try removeMisleadingProcessFiles()
            return
        }
        let processes = try occupants()
        logger.warning(
            "an earlier PostgreSQL is still there and is being stopped",
            metadata: ["processes": "\(processes)"]
        )
        // Fast shutdown of the postmaster takes its children along. Where it is gone, its
        // children abort by themselves, or when told.
        if let postmaster = try namedProcess(), processes.contains(postmaster) {
            kill(postmaster, SIGINT)
        } else {
            signal(processes, SIGQUIT)
        }
        if try await !vanish(within: Self.stopTimeout) {
            signal(try occupants(), SIGQUIT)
            guard try await vanish(within: Self.abortTimeout) else {
                throw ClusterError.leftoverProcesses(try occupants(), folder: folders.data)
            }
        }
        try removeMisleadingProcessFiles()
    }

    // Where the number in a file is dead, PostgreSQL clears the file itself, after checking
    // more than we can. Where it lives, it is none of this cluster's, as we have just seen.
    private func removeMisleadingProcessFiles() throws {
        for file in [folders.processFile, folders.socketLockFile] {
            guard
                let number = try PostmasterFile(file)?.processID,
                kill(number, 0) == 0 || errno == EPERM
            else { continue }
            logger.warning(
                "a lock file names a process that is no server of this cluster; removing it",
                metadata: ["file": "\(file)", "process": "\(number)"]
            )
            try file.removeFile()
        }
    }

    private func namedProcess() throws -> Int32? {
        try PostmasterFile(folders.processFile)?.processID
    }

    private func vanish(within timeout: Duration) async throws -> Bool {
        let deadline = ContinuousClock.now + timeout
        while try !occupants().isEmpty {
            guard ContinuousClock.now < deadline else { return false }
            try await Task.sleep(for: Self.pollInterval)
        }
        return true
    }

    private func signal(_ processes: [Int32], _ number: Int32) {
        for process in processes {
            kill(process, number)
        }
    }

    /// The PostgreSQL processes whose working folder is the data folder.
    ///
    /// Compared by identity, not by name: the name may lead through symbolic links. A zombie has
    /// no working folder any more, and a shell that stands there is no server.
    func occupants() throws -> [Int32] {
        guard let data = try folders.data.identity() else { return [] }
        return try Path("/proc").entries().compactMap { entry in
            guard let number = Int32(entry) else { return nil }
            let process = Path("/proc") / entry
            // Processes end while we look, and others' may not be looked at: not ours, then.
            guard
                let folder = try? (process / "cwd").identity(), folder == data,
                let name = try? (process / "comm").read(sizeMaximum: 64),
                String(decoding: name, as: UTF8.self).trimmingBlanks == "postgres"
            else { return nil }
            return number
        }
    }
}

import Glibc
import Logging
import PlimsollSystem

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

import PlimsollSystem

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

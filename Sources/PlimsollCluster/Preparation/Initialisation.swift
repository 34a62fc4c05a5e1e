import PlimsollFiles

/// Makes the data folder of a new cluster.
///
/// It is built beside its place and renamed when it is whole, so whatever is interrupted here
/// is done again from the beginning at the next start. `initdb` synchronizes what it writes.
struct Initialisation {
    let folders: ClusterFolders
    let programs: ServerPrograms
    let command: AccountCommand

    static let role = "plimsoll"
    static let database = "plimsoll"

    func run() async throws {
        let place = folders.unfinishedData
        try await command.require("rm", ["-rf", "--", place.string])
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

    /// By the server in its single-user mode, so that nobody can connect to half a cluster.
    private func createDatabase(in place: Path) async throws {
        try await command.require(
            programs.server,
            ["--single", "-D", place.string, "postgres"],
            input: "CREATE DATABASE \(Self.database)\n"
        )
    }
}

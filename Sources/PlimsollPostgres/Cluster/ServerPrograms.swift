import PlimsollSystem

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

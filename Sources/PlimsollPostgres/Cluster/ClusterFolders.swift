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

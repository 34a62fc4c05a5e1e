import Glibc
import PlimsollSystem

/// Names the user that we run as, for PostgreSQL alone, where the machine has no name for it.
///
/// Containers are run under any number (OpenShift gives each project its own), and `initdb` and
/// peer authentication ask for a name. PostgreSQL's own images answer them with libnss_wrapper,
/// and so does this: the library reads a list of accounts that we write.
struct NameLending: Sendable, Hashable {
    let library: Path
    /// In the state directory.
    let accounts: Path
    let groups: Path

    /// `nil` where the library is not installed.
    init?(in stateDirectory: Path, library: Path?) {
        guard let library else { return nil }
        self.library = library
        accounts = stateDirectory / "postgres.accounts"
        groups = stateDirectory / "postgres.groups"
    }

    var environment: [String: String] {
        [
            "LD_PRELOAD": library.string, "NSS_WRAPPER_PASSWD": accounts.string,
            "NSS_WRAPPER_GROUP": groups.string,
        ]
    }

    /// Where Debian, Red Hat and others install it.
    static func installed() throws(FileError) -> Path? {
        for root in [Path("/usr/lib"), Path("/usr/lib64"), Path("/usr/local/lib")]
        where try root.isFolder() {
            for folder in [root] + (try root.entries().sorted().map { root / $0 }) {
                let library = folder / "libnss_wrapper.so"
                if try folder.isFolder(), try library.status() != nil { return library }
            }
        }
        return nil
    }

    /// The list replaces the machine's own for those who read it, so it has root as well.
    func write(_ account: Account) throws(FileError) {
        let rows = [Account(name: "root", userID: 0, groupID: 0), account]
            .map { "\($0.name):x:\($0.userID):\($0.groupID)::/:/usr/sbin/nologin\n" }
        try accounts.writeDurably(Array(rows.joined().utf8), permissions: .ownerOnly)
        try groups.writeDurably(Array("root:x:0:\n".utf8), permissions: .ownerOnly)
    }
}

extension Account {
    /// Whether we are it, whatever it is called.
    var isOurs: Bool { userID == geteuid() }

    static let usualNames = ["postgres", "daemon", "nobody"]

    /// Who runs the server: ourselves or, when we are root, somebody without rights.
    ///
    /// A cluster that is there already decides by its owner: what was started by an ordinary
    /// user goes on under root and the other way round.
    static func forCluster(named name: String?, home: Path) throws -> Account {
        guard let current = Account.current else {
            return Account(name: Initialisation.role, userID: geteuid(), groupID: getegid())
        }
        guard current.isRoot else { return current }
        if let name {
            guard let account = Account(named: name) else {
                throw ClusterError.accountUnknown(name)
            }
            return account
        }
        if let owner = try home.status()?.owner, owner != 0, let account = Account(userID: owner) {
            return account
        }
        guard let account = usualNames.lazy.compactMap(Account.init(named:)).first else {
            throw ClusterError.noAccount(tried: usualNames)
        }
        return account
    }
}

import Glibc
import PlimsollSystem
import Subprocess

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
            for folder in [root] + (try root.entries().map { root / $0 }) {
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

/// Runs programs with the rights of the account that owns the cluster.
///
/// Everything that touches the account's folders is done as that account: root following a
/// link planted there would be the account's way to root. All programs get a clean environment
/// (a stray `PGDATA` or `PGPORT` would change what they do), no way to gain rights, and the
/// signal `SIGINT` when we die. That signal belongs to the *thread* that forked, so it is sound
/// only because swift-subprocess forks on one that lives as long as the process.
struct AccountCommand: Sendable {
    let account: Account
    /// How the programs learn the account's name where the machine does not have it.
    var names: NameLending?

    /// What a program said and how it ended.
    struct Outcome: Sendable {
        let isSuccess: Bool
        let output: String
    }

    static let outputSizeMaximum = 65_536

    /// The command line that becomes the program; its process keeps the id of the first word.
    func configuration(
        _ program: String,
        _ arguments: [String],
        platformOptions: PlatformOptions = PlatformOptions()
    ) -> Subprocess.Configuration {
        // Our own folder may be one that the account cannot enter, hence the change of folder.
        Subprocess.Configuration(
            executable: .name("setpriv"),
            arguments: Arguments(privileges + ["--", "env", "-C", "/", program] + arguments),
            environment: .custom(environment),
            platformOptions: platformOptions
        )
    }

    func run(_ program: String, _ arguments: [String], input: String = "") async throws -> Outcome {
        do {
            let result = try await Subprocess.run(
                configuration(program, arguments),
                input: .string(input),
                output: .string(limit: Self.outputSizeMaximum),
                error: .combinedWithOutput
            )
            return Outcome(
                isSuccess: result.terminationStatus.isSuccess,
                output: result.standardOutput.trimmingBlanks
            )
        } catch let error as SubprocessError where error.code == .executableNotFound {
            throw ClusterError.programMissing("setpriv")
        }
    }

    /// Runs a program that is expected to succeed.
    func require(_ program: String, _ arguments: [String], input: String = "") async throws {
        let outcome = try await run(program, arguments, input: input)
        guard outcome.isSuccess else {
            throw ClusterError.commandFailed(program, output: outcome.output)
        }
    }

    private var privileges: [String] {
        let common = ["--no-new-privs", "--pdeathsig", "INT"]
        guard Account.current?.isRoot == true, !account.isRoot else { return common }
        return ["--reuid", account.name, "--regid", "\(account.groupID)", "--init-groups"] + common
    }

    private var environment: [Environment.Key: String] {
        var environment: [Environment.Key: String] = [
            "LC_ALL": "C.UTF-8",
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "TZ": "UTC",
        ]
        for (name, value) in names?.environment ?? [:] {
            if let key = Environment.Key(rawValue: name) { environment[key] = value }
        }
        return environment
    }
}

extension String {
    var trimmingBlanks: String {
        var text = Substring(self)
        while text.last?.isWhitespace == true { text.removeLast() }
        while text.first?.isWhitespace == true { text.removeFirst() }
        return String(text)
    }
}

/// Who may connect: the account itself and root, over the Unix socket, proven by the kernel.
///
/// Not `trust`, though the socket's folder is closed: rules that hold by themselves survive a
/// folder that somebody opens. Written at every start, since root and an ordinary user may take
/// turns with one cluster.
struct AccessRules {
    let account: Account
    /// Who they may log in as.
    let roles: [String]

    func write(to folders: ClusterFolders) throws {
        try replace(folders.data / "pg_hba.conf", with: "local all all peer map=plimsoll\n")
        let names = Set([account.name, Account(userID: 0)?.name ?? "root"]).sorted()
        try replace(
            folders.data / "pg_ident.conf",
            with:
                names
                .flatMap { name in roles.map { "plimsoll \(quoted(name)) \(quoted($0))\n" } }
                .joined()
        )
    }

    private func replace(_ file: Path, with text: String) throws {
        let bytes = Array(text.utf8)
        if try file.read(sizeMaximum: 1 << 20) == bytes { return }
        try file.writeDurably(bytes, permissions: .ownerOnly)
        if !account.isOurs {
            try file.changeOwner(to: account)
        }
    }

    private func quoted(_ name: String) -> String { "\"\(name)\"" }
}

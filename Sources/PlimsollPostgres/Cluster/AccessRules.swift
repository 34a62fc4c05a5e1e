import PlimsollSystem

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

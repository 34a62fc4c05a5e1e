import Glibc
import PlimsollFiles

extension Account {
    static let usualNames = ["postgres", "daemon", "nobody"]

    /// Who runs the server: ourselves or, when we are root, somebody without rights.
    ///
    /// A cluster that is there already decides by its owner: what was started by an ordinary
    /// user goes on under root and the other way round.
    static func forCluster(named name: String?, home: Path) throws -> Account {
        guard let current = Account.current else {
            throw ClusterError.namelessAccount(userID: geteuid())
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

package import PlimsollSystem

/// Why the private server cannot be had, as a sentence for the operator.
package enum ClusterError: Error, Sendable, Hashable {
    case programMissing(String)
    case serverNotInstalled(searched: [Path])
    case noProgramsIn(Path)
    /// The data was made by one major version and only others are installed.
    case versionMismatch(data: Int, folder: Path, installed: [Int])
    case unreadableVersion(Path, String)
    case accountUnknown(String)
    case noAccount(tried: [String])
    case namelessAccount(userID: UInt32)
    case folderOfAnother(Path, owner: UInt32, needed: String)
    case notReachable(Path, needed: Path, account: String)
    case inUse(Path, explanation: String)
    case leftoverProcesses([Int32], folder: Path)
    case commandFailed(String, output: String)
    case notReady(after: Duration, log: String)
    case ended(status: String, log: String)
}

extension ClusterError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .programMissing(let name):
            "the program \(name) is needed to run a private PostgreSQL and is not installed"
        case .serverNotInstalled(let searched):
            "no PostgreSQL server is installed (looked in \(list(searched))); install it, for "
                + "example with `apt-get install postgresql`, or give a database URL"
        case .noProgramsIn(let folder):
            "\(folder) has no postgres and initdb that this account can run"
        case .versionMismatch(let data, let folder, let installed):
            versionSentence(data: data, folder: folder, installed: installed)
        case .unreadableVersion(let file, let text):
            "\(file) says \"\(text)\", which is no version of PostgreSQL; the folder is not touched"
        case .accountUnknown(let name):
            "there is no account \(name) to run PostgreSQL"
        case .noAccount(let tried):
            "PostgreSQL refuses to run as root, and there is none of the accounts "
                + "\(tried.joined(separator: ", "))"
        case .namelessAccount(let userID):
            "PostgreSQL needs an account with a name, and user \(userID) has none; install "
                + "libnss_wrapper (`apt-get install libnss-wrapper`), give the user a line in "
                + "/etc/passwd, or give a database URL"
        case .folderOfAnother(let folder, let owner, let needed):
            "\(folder) belongs to user \(owner), not to \(needed), who runs PostgreSQL here"
        case .notReachable(let folder, let needed, let account):
            "the account \(account), who runs PostgreSQL here, cannot enter \(folder) and so "
                + "not reach \(needed); choose another folder with --data, or let it in"
        case .inUse(let folder, let explanation):
            "another service uses \(folder): \(explanation)"
        case .leftoverProcesses(let processes, let folder):
            "processes \(list(processes)) of an earlier PostgreSQL still work in \(folder) and do "
                + "not end"
        case .commandFailed(let command, let output):
            "\(command) failed: \(output)"
        case .notReady(let duration, let log):
            "PostgreSQL did not become ready within \(duration): \(log)"
        case .ended(let status, let log):
            "the private PostgreSQL ended unasked (\(status)): \(log)"
        }
    }

    private func versionSentence(data: Int, folder: Path, installed: [Int]) -> String {
        "\(folder) was made by PostgreSQL \(data), and installed is \(list(installed)); install "
            + "\(data) again (`apt-get install postgresql-\(data)`), or move the data with "
            + "`pg_upgrade`, which needs both. Nothing was changed"
    }

    private func list(_ values: [some CustomStringConvertible]) -> String {
        values.map(\.description).joined(separator: ", ")
    }
}

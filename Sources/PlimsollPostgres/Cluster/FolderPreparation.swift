import Glibc
import PlimsollSystem

/// Makes the cluster's folders and sees to it that the account can use them.
///
/// Only folders of the cluster itself are given away or closed; those above are the operator's,
/// so they are never widened: what the account cannot reach is an error that says so.
struct FolderPreparation {
    let folders: ClusterFolders
    let command: AccountCommand

    private var account: Account { command.account }

    func prepare() async throws {
        try claim(folders.home)
        try await refuseUnreachable()
        try claim(folders.socket)
    }

    /// Makes a folder that only the account can enter, or checks that it is one.
    private func claim(_ folder: Path) throws {
        if try folder.status() == nil {
            try folder.createFolder(permissions: .folderOfOwner)
            if !account.isOurs {
                try folder.changeOwner(to: account)
            }
        }
        guard let status = try folder.status(), status.kind == .folder else {
            throw FileError(.create, folder, code: ENOTDIR, explanation: "something else is there")
        }
        guard status.owner == account.userID else {
            throw ClusterError.folderOfAnother(folder, owner: status.owner, needed: account.name)
        }
        if status.permissions != .folderOfOwner {
            try folder.setPermissions(.folderOfOwner)
        }
    }

    private func refuseUnreachable() async throws {
        if try await command.run("test", ["-w", folders.home.string]).isSuccess { return }
        for folder in ancestors(of: folders.home) {
            if try await command.run("test", ["-x", folder.string]).isSuccess { continue }
            throw ClusterError.notReachable(folder, needed: folders.home, account: account.name)
        }
        throw ClusterError.notReachable(folders.home, needed: folders.home, account: account.name)
    }

    /// From the root downwards.
    private func ancestors(of path: Path) -> [Path] {
        var chain: [Path] = []
        var folder = path
        while folder.string != "/" {
            folder = folder.parent
            chain.insert(folder, at: 0)
        }
        return chain
    }
}

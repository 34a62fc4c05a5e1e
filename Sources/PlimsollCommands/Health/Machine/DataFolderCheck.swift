import Foundation
import PlimsollServer

/// Looks at the data directory: is it there, and are its secrets kept from others.
struct DataFolderCheck {
    let folder: String

    func findings() -> [Finding] {
        guard isFolder(folder) else {
            return [
                .bad("data", "\(folder) is no folder", "Name the folder that serve was given.")
            ]
        }
        let open = secrets().filter(isOpen)
        guard open.isEmpty else {
            return open.map { path in
                .bad("data", "others can read or write \(path)", "chmod go-rwx \(path)")
            }
        }
        if let fault = WebhookKeyFile(of: folder).fault {
            return [
                .bad(
                    "data",
                    fault,
                    "Put the file back from its copy; or move it away, and make every webhook a new"
                        + " secret."
                )
            ]
        }
        return [.good("data", "the secrets in \(folder) are kept from others")]
    }

    /// As deep as keys lie.
    private func secrets() -> [String] {
        let keys = paths(in: "\(folder)/keys").flatMap { isFolder($0) ? paths(in: $0) : [$0] }
        return (keys + ["\(folder)/admin-token"]).filter { !isFolder($0) }
    }

    /// Links to folders are followed, as whoever signs follows them.
    private func paths(in folder: String) -> [String] {
        // What cannot be looked at is not there for us.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().map { "\(folder)/\($0)" }
    }

    private func isFolder(_ path: String) -> Bool {
        attributes(path)?[.type] as? FileAttributeType == .typeDirectory
    }

    private func isOpen(_ path: String) -> Bool {
        // A file that is gone in the meantime is open to nobody.
        let mode = (attributes(path)?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        return mode & 0o077 != 0
    }

    /// A link counts by what it leads to; its own permissions say nothing.
    private func attributes(_ path: String) -> [FileAttributeKey: Any]? {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        // What cannot be looked at is not there for us.
        return try? FileManager.default.attributesOfItem(atPath: target)
    }
}

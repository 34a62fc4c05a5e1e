import Foundation
import PlimsollServer

/// Looks at the data directory: is it there, and are its secrets kept from others.
struct DataFolderCheck {
    let folder: String

    func findings() -> [Finding] {
        // What cannot be looked at is no folder for us.
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder)
        guard attributes?[.type] as? FileAttributeType == .typeDirectory else {
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

    private func secrets() -> [String] {
        let keys = "\(folder)/keys"
        let files = FileManager.default.enumerator(atPath: keys)?.compactMap { $0 as? String } ?? []
        return
            (files.map { "\(keys)/\($0)" } + ["\(folder)/admin-token"]).filter(isFile)
    }

    private func isFile(_ path: String) -> Bool {
        // What cannot be looked at is not there for us.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let type = attributes?[.type] as? FileAttributeType
        return type != nil && type != .typeDirectory
    }

    private func isOpen(_ path: String) -> Bool {
        // A file that is gone in the meantime is open to nobody.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        return mode & 0o077 != 0
    }
}

import Foundation

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
        return [.good("data", "the secrets in \(folder) are kept from others")]
    }

    private func secrets() -> [String] {
        let keys = "\(folder)/keys"
        let files = FileManager.default.enumerator(atPath: keys)?.compactMap { $0 as? String } ?? []
        return
            (files.filter { $0.hasSuffix(".pem") }.map { "\(keys)/\($0)" }
            + ["\(folder)/admin-token"])
            .filter { FileManager.default.fileExists(atPath: $0) }
    }

    private func isOpen(_ path: String) -> Bool {
        // A file that is gone in the meantime is open to nobody.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        return mode & 0o077 != 0
    }
}

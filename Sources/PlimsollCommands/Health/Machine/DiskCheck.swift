import Foundation

/// Looks whether there is room left where the log, the export and the keys lie.
struct DiskCheck {
    let folder: String

    /// On a small disk its twentieth part, on a large one this much; a full disk stops all writes.
    static let freeNeededMaximum: Int64 = 10 << 30
    static let freeNeededMinimum: Int64 = 512 << 20

    func finding() -> Finding {
        // What cannot be looked at is said by the check of the folder.
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        guard
            let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value,
            let size = (attributes?[.systemSize] as? NSNumber)?.int64Value
        else {
            return .bad("disk", "the disk of \(folder) cannot be looked at", "Look with df.")
        }
        return Self.finding(folder, free: free, of: size)
    }

    static func finding(_ folder: String, free: Int64, of size: Int64) -> Finding {
        let needed = min(freeNeededMaximum, max(freeNeededMinimum, size / 20))
        let megabytes = free >> 20
        guard free >= needed else {
            return .bad(
                "disk",
                "the disk of \(folder) is nearly full: \(megabytes) MiB are left",
                "Make room: at least \(needed >> 20) MiB. Leave export, keys and postgres alone."
            )
        }
        return .good("disk", "\(megabytes) MiB are left for \(folder)")
    }
}

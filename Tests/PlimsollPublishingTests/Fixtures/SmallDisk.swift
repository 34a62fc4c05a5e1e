import Glibc
import PlimsollSystem
import PlimsollTestSupport

/// A file system of its own that is soon full; for an account that may not mount one, a folder
/// in which the fault points say that it is.
struct SmallDisk {
    let folder: Path
    private let isMounted: Bool

    static func with(
        _ folder: Path,
        _ body: (SmallDisk) async throws -> Void
    ) async throws {
        try folder.createFolder()
        let options = ["-t", "tmpfs", "-o", "size=512k", "tmpfs", folder.string]
        let isMounted = try await run("mount", options).status == 0
        do {
            try await body(SmallDisk(folder: folder, isMounted: isMounted))
        } catch {
            if isMounted { try await unmount(folder) }
            throw error
        }
        if isMounted { try await unmount(folder) }
    }

    /// Runs the body while not one more file fits.
    func whileFull(_ body: () async throws -> Void) async throws {
        guard isMounted else {
            return try await withFault(at: "files.publish.created", code: ENOSPC, body)
        }
        let filler = folder / "filler"
        try filler.createFolder()
        var count = 0
        for size in [65_536, 4096, 1] {
            while true {
                do throws(FileError) {
                    try (filler / "\(count)").writeDurably([UInt8](repeating: 1, count: size))
                    count += 1
                } catch {
                    guard error.isOutOfSpace else { throw error }
                    break
                }
            }
        }
        try await body()
        try filler.removeTree()
    }

    private static func unmount(_ folder: Path) async throws {
        _ = try await run("umount", ["--lazy", folder.string])
    }
}

import Foundation
import Glibc
import PlimsollSystem

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
        let isMounted = try run("mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", folder.string)
        do {
            try await body(SmallDisk(folder: folder, isMounted: isMounted))
        } catch {
            if isMounted { _ = try run("umount", "--lazy", folder.string) }
            throw error
        }
        if isMounted { _ = try run("umount", "--lazy", folder.string) }
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

    private static func run(_ arguments: String...) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

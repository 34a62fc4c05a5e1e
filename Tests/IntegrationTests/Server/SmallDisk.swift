import Foundation
import Glibc
import Testing

/// A file system of its own that can be filled to the last byte.
///
/// Only root may mount one. For everybody else it is a folder in which nothing can be written
/// while it is said to be full.
struct SmallDisk: Sendable {
    /// Whether there can be one at all.
    static var isPossible: Bool { geteuid() == 0 }

    let folder: URL
    private let isMounted: Bool

    static func with(
        _ folder: URL,
        megabytes: Int,
        _ body: (SmallDisk) async throws -> Void
    ) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard isPossible else { return try await body(SmallDisk(folder, isMounted: false)) }
        let options = "size=\(megabytes)m,mode=755"
        let mount = try await Program.run(
            "mount",
            ["-t", "tmpfs", "-o", options, "tmpfs", folder.path]
        )
        try #require(mount.status == 0, "\(mount.errors)")
        do {
            try await body(SmallDisk(folder, isMounted: true))
        } catch {
            try await unmount(folder)
            throw error
        }
        try await unmount(folder)
    }

    private init(_ folder: URL, isMounted: Bool) {
        self.folder = folder
        self.isMounted = isMounted
    }

    /// What phones read is on it, so not one byte more finds room.
    func fill() async throws {
        guard isMounted else { return try setWritable(false) }
        let fill = try await Program.run("dd", ["if=/dev/zero", "of=\(filler.path)", "bs=4k"])
        try #require(fill.status == 1, "the disk is not full: \(fill.errors)")
    }

    func makeRoom() throws {
        guard isMounted else { return try setWritable(true) }
        try FileManager.default.removeItem(at: filler)
    }

    private var filler: URL { folder.appending(path: "filler") }

    private func setWritable(_ isWritable: Bool) throws {
        let snapshots = folder.appending(path: "snapshots")
        let folders = try FileManager.default.contentsOfDirectory(atPath: snapshots.path)
        for app in folders {
            try FileManager.default.setAttributes(
                [.posixPermissions: isWritable ? 0o755 : 0o555],
                ofItemAtPath: snapshots.appending(path: app).path
            )
        }
    }

    private static func unmount(_ folder: URL) async throws {
        let unmount = try await Program.run("umount", ["--lazy", folder.path])
        #expect(unmount.status == 0, "\(unmount.errors)")
    }
}

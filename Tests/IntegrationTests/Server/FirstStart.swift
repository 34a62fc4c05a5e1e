import Foundation
import Glibc
import PlimsollAPI

/// What a first start of the service leaves in its data folder: a database, keys, a token and the
/// published sample. It is made once and copied for every test that only needs a service.
actor FirstStart {
    static let shared = FirstStart()

    private static let folder = 
        NSTemporaryDirectory() + "plimsoll-first-start-\(getpid())"
    private var isMade = false

    /// Copies it to where there is no data folder yet; a later run finds its own.
    func lay(into data: URL, with transport: Transport) async throws {
        guard !FileManager.default.fileExists(atPath: data.path) else { return }
        if !isMade { try await make(with: transport) }
        // With owners, since the database belongs to another account.
        let copy = try await Program.run("cp", ["-a", "\(Self.folder)/data", data.path])
        guard copy.status == 0 else { throw Failure(description: copy.errors) }
    }

    private func make(with transport: Transport) async throws {
        let folder = URL(fileURLWithPath: Self.folder)
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755]
        )
        atexit { try? FileManager.default.removeItem(atPath: FirstStart.folder) }
        try await ServerFixture(folder: folder, transport: transport).start(.ready) { _ in }
        isMade = true
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}

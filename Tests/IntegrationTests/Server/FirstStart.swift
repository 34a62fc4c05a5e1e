import Foundation
import Glibc
import PlimsollAPI
import PlimsollTestSupport

/// What a first start of the service leaves in its data folder: a database, keys, a token and the
/// published sample.
///
/// It is made once and copied for every test that only needs a service.
enum FirstStart {
    private static let folder =
        NSTemporaryDirectory() + "plimsoll-first-start-\(getpid())"

    /// Copies it to where there is no data folder yet; a later run finds its own.
    static func lay(into data: URL) async throws {
        guard !FileManager.default.fileExists(atPath: data.path) else { return }
        // With owners, since the database belongs to another account.
        let copy = try await Program.run("cp", ["-a", try await made.value(), data.path])
        guard copy.status == 0 else { throw Failure(description: copy.errors) }
    }

    private static let made = MadeOnce<String> {
        let folder = URL(fileURLWithPath: Self.folder)
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755]
        )
        atexit { try? FileManager.default.removeItem(atPath: FirstStart.folder) }
        return try await Transport.with { transport in
            let fixture = ServerFixture(folder: folder, transport: transport)
            try await fixture.start(.ready) { _ in }
            return fixture.data.path
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}

import Foundation
import PlimsollAPI
import PlimsollDocuments
import PlimsollTestSupport
import Testing

@testable import PlimsollCommands

/// Whom `plimsoll verify snapshot` trusts.
struct TrustingTests {
    // Goal: while two keys sign, whoever knows one of them can check a snapshot with it.
    @Test func `a PEM is the key whose signature it confirms, whichever that is`() async throws {
        let builder = try SnapshotBuilder(keys: 2)
        let manifest = try builder.snapshot(7).manifest
        try await withFile(Manifest.fileName, manifest.bytes) { path in
            let folder = URL(filePath: path).deletingLastPathComponent()
            let signatures = folder.appending(path: Manifest.signaturesFileName)
            try Data(manifest.allSignatures).write(to: signatures)
            for key in builder.trusted.all {
                try await withFile("key.pem", Array(key.publicKey.pem.utf8)) { pem in
                    let trusted = try await Transport.with { transport in
                        try await trustedKeys(
                            in: pem,
                            signing: PublishedLocation(folder.path, transport)
                        )
                    }
                    #expect(trusted.all.map(\.publicKey) == [key.publicKey])
                }
            }
        }
    }
}

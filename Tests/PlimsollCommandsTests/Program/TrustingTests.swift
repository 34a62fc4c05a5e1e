import Foundation
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollLog
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

    @Test func `a snapshot at the place of another app is refused`() async throws {
        let builder = try SnapshotBuilder(keys: 1)
        let manifest = try builder.snapshot(7).manifest
        let pem = try #require(builder.trusted.all.first).publicKey.pem
        let name = try #require(KeyName("log.example"))
        let log = SignerKey(name: name, kind: .note).verifierKey.text
        try await withFile("key.pem", Array(pem.utf8)) { key in
            let folder = URL(filePath: key).deletingLastPathComponent()
                .appending(path: "current/ferry")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let signatures = folder.appending(path: Manifest.signaturesFileName)
            try Data(manifest.allSignatures).write(to: signatures)
            try Data(manifest.bytes).write(to: folder.appending(path: Manifest.fileName))
            let run = try await plimsoll(
                ["verify", "snapshot", folder.path, "--key", key, "--log-key", log],
                token: nil
            )
            #expect(run.code == 8)
            #expect(run.errors.contains("is of the app harbour; ferry is needed"), "\(run.errors)")
        }
    }

    private static let places: [(String, String?)] = [
        ("https://updates.example.org/distribution/harbour", "harbour"),
        ("https://updates.example.org/distribution/harbour/", "harbour"),
        ("/var/lib/plimsoll/export/current/ferry", "ferry"), ("current/ferry", "ferry"),
        ("https://updates.example.org/distribution/harbour/snapshots/57", nil),
        ("https://updates.example.org/harbour", nil), ("harbour", nil), (".", nil),
    ]

    @Test(arguments: places)
    func `a place names an app, or does not`(_ place: String, _ app: String?) async throws {
        let found = try await Transport.with { PublishedLocation(place, $0).app }
        #expect(found?.text == app)
    }
}

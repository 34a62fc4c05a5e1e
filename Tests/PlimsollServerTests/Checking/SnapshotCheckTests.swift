import PlimsollDocuments
import PlimsollDomain
import PlimsollLog
import PlimsollPublishing
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

/// What a check says of a snapshot that cannot be read as a whole.
@Suite(.timeLimit(.minutes(5)))
struct SnapshotCheckTests {
    private struct ConnectionBroken: Error {}

    private func check(
        _ publication: Publication,
        _ reading: @escaping PublicReading
    ) -> SnapshotCheck {
        var check = SnapshotCheck(
            snapshot: reading,
            log: { _ in nil },
            keys: TrustedKeys(publication.keys),
            trust: LogTrust(logKeys: []),
            app: nil
        )
        check.acceptsUnproven = true
        return check
    }

    @Test(arguments: [
        "manifest.json", "manifest.json.sig", "availability-ios", "availability-android",
    ])
    func `a connection that breaks is nothing against the snapshot`(place: String) async throws {
        try await withFolder { folder in
            let publication = try Publication(in: folder)
            let whole = publicReading(of: publication.folder.current(of: harbour))
            let broken = check(publication) { name in
                guard name != place else { throw ConnectionBroken() }
                return try await whole(name)
            }
            await #expect(throws: ConnectionBroken.self) { try await broken.run() }
        }
    }

    @Test(arguments: [
        "manifest.json", "manifest.json.sig", "availability-ios", "availability-android",
    ])
    func `a file that is missing or another is one`(place: String) async throws {
        try await withFolder { folder in
            let publication = try Publication(in: folder)
            let whole = publicReading(of: publication.folder.current(of: harbour))
            for replacement: [UInt8]? in [nil, Array("{}".utf8)] {
                let changed = check(publication) { name in
                    guard name != place else { return replacement }
                    return try await whole(name)
                }
                let mismatch = await #expect(throws: SnapshotMismatch.self) {
                    try await changed.run()
                }
                #expect(mismatch?.place != SnapshotMismatch.checkpoint)
            }
            let untouched = await #expect(throws: SnapshotMismatch.self) {
                try await check(publication, whole).run()
            }
            #expect(untouched?.place == SnapshotMismatch.checkpoint)
        }
    }
}

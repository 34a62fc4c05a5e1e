import Crypto
import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollIngestion
import PlimsollSystem
import PlimsollTestSupport
import Testing

/// What broke off waits for whoever goes on with it, and not for ever.
@Suite(.timeLimit(.minutes(1))) struct AbandonedPackageTests {
    private static let week: TimeInterval = 7 * 86_400

    /// Lays out half a package that somebody was at so long ago.
    private func begin(_ label: String, in folder: Path, ago age: TimeInterval) throws {
        let half = folder / ".incoming" / label
        try (half / "variant").createFolder()
        try (half / "variant" / "variant-a.part").writeDurably([1])
        let lock = folder / ".incoming" / "\(label).lock"
        try lock.writeDurably(Array("1\n".utf8))
        let now = Double(testNow.millisecondsSince1970) / 1000
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: now - age)],
            ofItemAtPath: lock.string
        )
    }

    private func folders(in folder: Path) throws -> [String] {
        let incoming = folder / ".incoming"
        return try incoming.entries().filter { try (incoming / $0).isFolder() }
    }

    @Test func `what nobody went on with for a week is taken away before a fetch`() async throws {
        let server = StandInConnect()
        try await withScratchFolder { folder in
            try begin("7-1", in: folder, ago: Self.week + 60)
            try begin("7-2", in: folder, ago: Self.week - 60)
            try begin("7-3", in: folder, ago: Self.week + 60)
            try await server.serve { _ = try await ingest(from: server, into: folder) }
            #expect(try folders(in: folder) == ["7-2"])
        }
    }

    @Test func `what somebody is at stays, however long it takes`() async throws {
        let server = StandInConnect()
        try await withScratchFolder { folder in
            try begin("7-1", in: folder, ago: 0)
            let path = folder / ".incoming" / "7-1.lock"
            let lock = try FileLock(path)
            let old = Double(testNow.millisecondsSince1970) / 1000 - 2 * Self.week
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: old)],
                ofItemAtPath: path.string
            )
            try await server.serve { _ = try await ingest(from: server, into: folder) }
            #expect(try folders(in: folder) == ["7-1"])
            _ = consume lock
        }
    }
}

/// Fetches the package that the stand-in has.
func ingest(
    from server: StandInConnect,
    into folder: Path,
    of items: Set<AppleItemID>? = nil,
    _ naps: Naps = Naps(),
    progress: @escaping @Sendable (IngestionProgress) -> Void = { _ in }
) async throws -> IngestedPackage {
    let pem = P256.Signing.PrivateKey().pemRepresentation
    let key = try #require(ConnectKey(issuer: "issuer", id: "key", pem: pem))
    return try await Transport.with(ConnectClient.limits) { transport in
        let client = ConnectClient(server.url, key: key, over: transport, clock: naps.clock)
        return try await PackageIngestion(
            client,
            over: transport,
            into: PackageFolder(folder),
            clock: naps.clock
        ).run(packageID("v-1"), of: items, progress: progress)
    }
}

import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollPublishing
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

@Suite(.timeLimit(.minutes(5)))
struct TrustWatcherTests {
    /// An edge of its own, before it was given any keys.
    private struct Edge {
        let publication: Publication
        let service: EdgeService
        let loader: SnapshotLoader
        let file: Path
        let lines = LogLines()

        var complaintCount: Int {
            lines.text.split(separator: "\n")
                .count { $0.hasPrefix("the trusted keys cannot be read") }
        }

        var servesHarbour: Bool { !service.table.publications.isEmpty }

        init(in folder: Path) throws {
            publication = try Publication(in: folder)
            service = EdgeService(
                EdgeConfiguration(host: "127.0.0.1", port: 0),
                logger: lines.logger
            )
            loader = SnapshotLoader(
                SnapshotLoader.Settings(export: publication.folder.root),
                trusting: TrustedKeys([]),
                edge: service,
                logger: lines.logger
            )
            file = folder / "keys.json"
        }
    }

    private func watching(_ body: (Edge) async throws -> Void) async throws {
        try await withFolder { folder in
            let edge = try Edge(in: folder)
            let watcher = TrustWatcher(
                file: edge.file,
                loader: edge.loader,
                logger: edge.lines.logger
            )
            try await withThrowingTaskGroup { group in
                defer { group.cancelAll() }
                group.addTask { try await watcher.run() }
                try await body(edge)
            }
        }
    }

    @Test func `keys that come later let in what was refused before`() async throws {
        try await watching { edge in
            await edge.loader.load(harbour)
            #expect(!edge.servesHarbour)
            try await eventually { edge.lines.text.contains("the trusted keys cannot be read") }
            try edge.file.writeDurably(edge.publication.keys.bytes)
            try await eventually { edge.servesHarbour }
        }
    }

    @Test func `a list of all keys that a service had in years is taken`() async throws {
        try await watching { edge in
            let active = try #require(edge.publication.keys.keys.first)
            let retired = (0..<4000).map { _ in
                PublishedKey(
                    id: KeyID(UUID()),
                    app: harbour,
                    state: .retired,
                    publicKey: active.publicKey
                )
            }
            let list = PublishedKeys(edge.publication.keys.keys + retired).bytes
            #expect(list.count > 1 << 20)
            await edge.loader.load(harbour)
            try edge.file.writeDurably(list)
            try await eventually { edge.servesHarbour }
            #expect(edge.complaintCount <= 1)
        }
    }

    @Test(arguments: [nil, "", "{}x", #"{"keys": [{"id": "no"}]}"#, "-----BEGIN PUBLIC KEY-----"])
    func `a list that is spoilt or taken away changes nothing`(_ content: String?) async throws {
        try await watching { edge in
            try edge.file.writeDurably(edge.publication.keys.bytes)
            await edge.loader.load(harbour)
            try await eventually { edge.servesHarbour }
            // That there was no list yet may have been complained of.
            let count = edge.complaintCount
            if let content {
                try edge.file.writeDurably(Array(content.utf8))
            } else {
                try edge.file.removeFile()
            }
            try await eventually { edge.complaintCount > count }
            var publication = edge.publication
            try publication.renew()
            guard case .loaded = await edge.loader.load(harbour) else {
                Issue.record("the keys are no longer trusted")
                return
            }
        }
    }

    @Test func `the same trouble is told again when it comes back, and only then`() async throws {
        try await watching { edge in
            await edge.loader.load(harbour)
            try await eventually { edge.complaintCount == 1 }
            try edge.file.writeDurably(edge.publication.keys.bytes)
            try await eventually { edge.servesHarbour }
            #expect(edge.complaintCount == 1)
            try edge.file.removeFile()
            try await eventually { edge.complaintCount == 2 }
        }
    }
}

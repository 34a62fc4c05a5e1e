import HTTPTypes
import PlimsollDomain
import PlimsollLog
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// The transparency log as auditors fetch it.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct LogRouteTests {
    private let files = ["checkpoint", "tile/0/000.p/1", "tile/entries/000.p/1"]

    @Test func `before the first checkpoint there is nothing`() async throws {
        try await ServiceFixture.with { service in
            for path in files.map({ "/v1/log/\($0)" }) + ["/v1/log/key", "/v1/events/1/proof"] {
                let answer = try await service.send(.get, path, as: .auditor)
                #expect(answer.status == .notFound, "\(path)")
            }
        }
    }

    @Test func `checkpoint, tiles and entries are bytes, whatever is accepted`() async throws {
        try await ServiceFixture.with { service in
            let signed = try await service.sign()
            let size = signed.checkpoint.root.size
            for accept in ["image/png", "application/json", "*/*"] {
                let headers: HTTPFields = [.accept: accept]
                let checkpoint = try await service.send(
                    .get,
                    "/v1/log/checkpoint",
                    as: .auditor,
                    headers: headers
                )
                #expect(checkpoint.bytes == signed.bytes)
                #expect(checkpoint.headers[.contentType] == "text/plain; charset=utf-8")
                let entries = try await service.send(
                    .get,
                    "/v1/log/tile/entries/000.p/\(size)",
                    as: .auditor,
                    headers: headers
                )
                #expect(entries.headers[.contentType] == "application/octet-stream")
                let address = try #require(TileAddress(.entries, index: 0, width: size))
                let bundle = try #require(EntryBundle(address, bytes: entries.bytes))
                let tile = try await service.send(
                    .get,
                    "/v1/log/tile/0/000.p/\(size)",
                    as: .auditor,
                    headers: headers
                )
                #expect(tile.bytes == bundle.leaves?.bytes)
                let tree = MerkleTree(leaves: bundle.entries.map(MerkleHash.leaf))
                #expect(tree.root == signed.checkpoint.root)
            }
            for path in [
                "tile/0/000.p/\(size + 1)", "tile/0/000", "tile/0/0", "tile/x/000",
                "tile/0/x001/x234/x567/x890/000.p/5", "tile/0/x000/000.p/1",
            ] {
                let answer = try await service.send(.get, "/v1/log/\(path)", as: .auditor)
                #expect(answer.status == .notFound, "\(path)")
            }
        }
    }

    @Test func `an event is proven once a checkpoint covers it`() async throws {
        try await ServiceFixture.with { service in
            let signed = try await service.sign()
            let proven = try await service.send(.get, "/v1/events/2/proof", as: .auditor)
            #expect(proven.status == .ok)
            let proof = try LogProof(parsing: proven.bytes)
            let leaf = try await Checkpoints(service.log).leaves(after: 1, limit: 1)
            #expect(proof.inclusion.proves(try #require(leaf.first), in: signed.checkpoint.root))
            #expect(proof.checkpoint == signed)
            let head = try await service.head()
            try await service.apply(Edits.minimum("3.1.0"))
            let early = try await service.send(.get, "/v1/events/\(head + 1)/proof", as: .auditor)
            #expect(early.status == .notFound)
            for position in ["0", "999999", "x"] {
                let path = "/v1/events/\(position)/proof"
                let answer = try await service.send(.get, path, as: .auditor)
                #expect(answer.status == .notFound, "\(position)")
            }
        }
    }

    @Test func `only auditors of everything see it`() async throws {
        try await ServiceFixture.with { service in
            _ = try await service.sign()
            let paths = files.map { "/v1/log/\($0)" } + ["/v1/log/key", "/v1/events/1/proof"]
            for path in paths {
                for role in [Role.viewer, .proposer, .approver] {
                    let answer = try await service.send(.get, path, as: role)
                    #expect(answer.status == .forbidden, "\(role) \(path)")
                }
            }
        }
    }
}

extension ServiceFixture {
    /// Signs what is in the log, as an exporter does.
    func sign() async throws -> SignedCheckpoint {
        let checkpoints = Checkpoints(log)
        var frontier = MerkleFrontier()
        for leaf in try await checkpoints.leaves(after: 0) { frontier.append(leaf: leaf) }
        let name = try #require(KeyName("log.example.com/harbour"))
        let signed = try LogSigner(SignerKey(name: name, kind: .note)).sign(frontier.root)
        _ = try await checkpoints.add(StoredCheckpoint(frontier: frontier, note: signed.bytes))
        return signed
    }
}

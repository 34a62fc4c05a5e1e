import NIOCore
import PlimsollSystem
import PlimsollLog
import Testing

@testable import PlimsollEdge

/// The transparency log, from the export folder to what is served.
@Suite struct LogLoadingTests {
    private let root = "/distribution/log"

    @Test func `checkpoint, key and tiles are served as they lie there`() async throws {
        try await withLog { log, loader, edge in
            try log.publish(300)
            try await loader.loadAll()
            let table = edge.table
            #expect(try table.bytes("\(root)/checkpoint") == log.checkpoint(300).bytes)
            #expect(table.body("\(root)/key") == "\(log.signer.verifierKey)\n")
            for path in ["tile/0/000", "tile/0/001.p/44", "tile/1/000.p/1"] {
                let address = try #require(TileAddress(path: path))
                #expect(table.bytes("\(root)/\(path)") == log.tile(address).bytes)
            }
            // Whatever the log's size, the table holds nothing else of it.
            #expect(table.resources.count == 2)
            let checkpoint = try #require(table.head("\(root)/checkpoint"))
            #expect(checkpoint.contains("\r\nCache-Control: public, max-age=5\r\n"))
            #expect(checkpoint.contains("\r\nContent-Type: text/plain; charset=utf-8\r\n"))
        }
    }

    @Test func `entries are never served, even if somebody laid them there`() async throws {
        try await withLog { log, loader, edge in
            try log.publish(3)
            try log.write("tile/entries/000.p/3", Array("secret".utf8))
            try await loader.loadAll()
            #expect(edge.table.bytes("\(root)/tile/entries/000.p/3") == nil)
            #expect(edge.table.bytes("\(root)/tile/0/000.p/3") != nil)
        }
    }

    @Test func `partial tiles are served as long as they lie there`() async throws {
        try await withLog { log, loader, edge in
            for size in [200, 210, 255] { try log.publish(size) }
            try await loader.loadAll()
            for width in [200, 210, 255] {
                #expect(edge.table.bytes("\(root)/tile/0/000.p/\(width)") != nil)
            }
            try log.publish(257)
            try (log.folder / "tile/0/000.p").removeTree()
            try await loader.loadAll()
            #expect(edge.table.bytes("\(root)/tile/0/000.p/255") == nil)
            #expect(edge.table.bytes("\(root)/tile/0/000")?.count == 8192)
            #expect(edge.table.bytes("\(root)/tile/0/001.p/1")?.count == 32)
        }
    }

    @Test func `what does not hold together changes nothing`() async throws {
        try await withLog { log, loader, edge in
            try log.publish(10)
            try await loader.loadAll()
            let before = edge.table.bytes("\(root)/checkpoint")
            let other = try LogSigner(SignerKey(name: log.signer.verifierKey.name, kind: .note))
            let bad: [[UInt8]] = [
                [], Array("no note".utf8), try log.checkpoint(9).bytes,
                try log.signer.sign(MerkleRoot(size: 10, hash: .leaf([1]))).bytes,
                try other.sign(log.tree.root(size: 11)).bytes,
                // Its tiles are not there.
                try log.checkpoint(12).bytes,
                try log.signer.sign(MerkleRoot(size: .max, hash: .leaf([1]))).bytes,
            ]
            for note in bad {
                try log.write("checkpoint", note)
                try await loader.loadAll()
                #expect(edge.table.bytes("\(root)/checkpoint") == before)
            }
            try log.write("key", Array("\(other.verifierKey)\n".utf8))
            try log.write("checkpoint", try other.sign(log.tree.root(size: 11)).bytes)
            try await loader.loadAll()
            #expect(edge.table.bytes("\(root)/checkpoint") == before)
            try log.write("key", Array("\(log.signer.verifierKey)\n".utf8))
            try log.publish(12)
            try await loader.loadAll()
            #expect(try edge.table.bytes("\(root)/checkpoint") == log.checkpoint(12).bytes)
        }
    }

    @Test func `a log that was given up makes room for one that is shorter`() async throws {
        try await withLog { log, loader, edge in
            try log.publish(10)
            try await loader.loadAll()
            try log.publish(7)
            try await loader.loadAll()
            #expect(try edge.table.bytes("\(root)/checkpoint") == log.checkpoint(10).bytes)
            await loader.forgetLog()
            #expect(edge.table.bytes("\(root)/checkpoint") == nil)
            try await loader.loadAll()
            #expect(try edge.table.bytes("\(root)/checkpoint") == log.checkpoint(7).bytes)
        }
    }

    private func withLog(
        _ body: (BuiltLog, SnapshotLoader, EdgeService) async throws -> Void
    ) async throws {
        try await ExportFixture.with { fixture in
            let edge = fixture.edge()
            let name = try #require(KeyName("log.example.com/harbour"))
            let log = BuiltLog(
                folder: fixture.export / "log",
                signer: try LogSigner(SignerKey(name: name, kind: .note))
            )
            try await body(log, fixture.loader(edge), edge)
        }
    }
}

/// A log of 300 entries that can be published at any size.
private struct BuiltLog {
    let folder: Path
    let signer: LogSigner
    let tree = MerkleTree(leaves: (1...300).map { MerkleHash.leaf(Array("\($0)".utf8)) })

    func checkpoint(_ size: Int) throws -> SignedCheckpoint {
        try signer.sign(tree.root(size: size))
    }

    func tile(_ address: TileAddress) -> HashTile {
        let span = 1 << (8 * address.level)
        let begin = address.index * 256
        let hashes = (begin..<begin + address.width).map { index in
            MerkleHash.over(index * span..<(index + 1) * span, reading: tree.hash)
        }
        guard let tile = HashTile(address, hashes: hashes) else {
            preconditionFailure("a tile has as many hashes as its address says")
        }
        return tile
    }

    func publish(_ size: Int) throws {
        for address in TileAddress.added(from: 0, to: size) where address.content != .entries {
            try write(address.path, tile(address).bytes)
        }
        try write("key", Array("\(signer.verifierKey)\n".utf8))
        try write("checkpoint", try checkpoint(size).bytes)
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try (folder / name).parent.createFolder()
        try (folder / name).writeDurably(bytes)
    }
}

extension EdgeTable {
    fileprivate func bytes(_ path: String) -> [UInt8]? {
        let bytes = Array(path.utf8)
        let tile = tiles?.address(at: bytes.indices, in: bytes.span)
        let found =
            index.number(of: bytes.indices, in: bytes.span).map { resources[$0] }
            ?? tile.flatMap { tiles?.resource($0) }
        guard let answer = found?.answers[0] else { return nil }
        return answer.bytes.getBytes(
            at: answer.headLength,
            length: answer.bytes.readableBytes - answer.headLength
        )
    }
}

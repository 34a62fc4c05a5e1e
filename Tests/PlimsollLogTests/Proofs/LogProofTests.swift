import PlimsollLog
import Testing

@Suite struct LogProofTests {
    private let fixture = LogFixture()

    private func proof(of index: Int, size: Int, extra: [UInt8]? = nil) throws -> LogProof {
        LogProof(
            inclusion: fixture.tree.inclusionProof(of: index, size: size),
            checkpoint: try fixture.signed(size: size),
            extra: extra
        )
    }

    @Test(arguments: [nil, [], [0], [1, 2, 3, 4]] as [[UInt8]?])
    func `a proof reads what it wrote and proves its entry`(extra: [UInt8]?) throws {
        for index in 0..<20 {
            let proof = try proof(of: index, size: 20, extra: extra)
            let read = try LogProof(parsing: proof.bytes)
            #expect(read == proof)
            #expect(read.bytes == proof.bytes)
            let entry = leaves(20)[index]
            let verified = try fixture.verified(size: 20)
            #expect(read.verification(of: entry, by: fixture.trust) == .verified(verified))
            let other = leaves(21)[index + 1]
            #expect(read.verification(of: other, by: fixture.trust) == .refused(.path))
        }
    }

    @Test func `a proof has the form of the specification`() throws {
        let proof = try proof(of: 1, size: 2, extra: bytes("beside"))
        let hash = base64(leaves(1)[0].bytes)
        let checkpoint = String(decoding: try fixture.signed(size: 2).bytes, as: UTF8.self)
        let head = "c2sp.org/tlog-proof@v1\nextra YmVzaWRl\nindex 1\n\(hash)\n\n"
        #expect(proof.bytes == bytes(head + checkpoint))
    }

    @Test func `every bit of a proof matters`() throws {
        let honest = try proof(of: 1, size: 3).bytes
        let entry = leaves(3)[1]
        let faults = honest.indices.filter { place in
            (0..<8).contains { bit in
                var changed = honest
                changed[place] ^= 1 << UInt8(bit)
                guard let proof = try? LogProof(parsing: changed) else { return false }
                return proof.verification(of: entry, by: fixture.trust).isVerified
            }
        }
        #expect(faults == [])
    }

    @Test func `a proof under a checkpoint by a stranger is refused`() throws {
        let proof = try proof(of: 5, size: 20)
        let other = LogTrust(logKeys: [LogFixture(log: "other.example").logKey])
        let origin = proof.checkpoint.checkpoint.origin
        #expect(
            proof.verification(of: leaves(20)[5], by: other)
                == .refused(.checkpoint(.unknownOrigin(origin)))
        )
    }

    @Test func `a hostile proof is refused with its fault`() throws {
        let checkpoint = String(decoding: try fixture.signed(size: 20).bytes, as: UTF8.self)
        let header = "c2sp.org/tlog-proof@v1\n"
        let hash = base64(MerkleHash.emptyTree.bytes) + "\n"
        let files: [(String, LogProofError)] = [
            ("", .header), ("c2sp.org/tlog-proof@v2\n", .header),
            ("c2sp.org/tlog-proof@v1 \n", .header), (header, .index),
            (header + "index 05\n\n" + checkpoint, .index),
            (header + "index -1\n\n" + checkpoint, .index),
            (header + "extra A\nindex 5\n\n" + checkpoint, .extra),
            (header + "index 5\nextra AAAA\n\n" + checkpoint, .pathLine(1)),
            (header + "index 5\n" + checkpoint, .pathLine(1)),
            (header + "index 5\n", .pathNotEnded),
            (header + "index 5\n" + hash + "AAAA\n\n" + checkpoint, .pathLine(2)),
            (
                header + "index 5\n" + String(repeating: hash, count: 64) + "\n" + checkpoint,
                .pathNotEnded
            ),
            (header + "index 5\n\n", .checkpoint(.note(.unsigned))),
        ]
        for (file, fault) in files {
            #expect(throws: fault) { try LogProof(parsing: bytes(file)) }
            #expect(fault.description.hasSuffix("."))
        }
    }
}

extension LogProofVerification {
    var isVerified: Bool {
        if case .verified = self { true } else { false }
    }
}

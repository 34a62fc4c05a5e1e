import PlimsollJSON
import PlimsollLog
import Testing

@Suite struct EntryProofTests {
    private let fixture = LogFixture()

    /// The entry at each index is told by its number alone, as the fixture's leaves are.
    private func proof(of index: Int, size: Int) throws -> EntryProof {
        let entries = (0..<size).map { bytes("entry \($0)") }
        let tree = MerkleTree(leaves: entries.map(MerkleHash.leaf))
        return EntryProof(
            entry: entries[index],
            inclusion: tree.inclusionProof(of: index, size: size),
            checkpoint: try fixture.signer.sign(tree.root)
        )
    }

    @Test func `a proof reads what it wrote and proves its entry`() throws {
        for size in [1, 2, 3, 20] {
            for index in 0..<size {
                let proof = try proof(of: index, size: size)
                let read = try EntryProof(parsing: proof.bytes)
                #expect(read == proof)
                #expect(read.bytes == proof.bytes)
                #expect(read.leadsToItsCheckpoint)
                #expect(read.verification(by: fixture.trust).isVerified)
            }
        }
    }

    @Test func `a proof is one line of canonical JSON`() throws {
        let proof = try proof(of: 1, size: 2)
        let object = try #require(JSONValue(parsingCanonical: proof.bytes).object)
        #expect(object.members.map(\.key) == ["checkpoint", "entry", "index", "path"])
        #expect(object["index"]?.integer == 1)
        #expect(object["entry"]?.string == "ZW50cnkgMQ==")
        let sibling = base64(MerkleHash.leaf(bytes("entry 0")).bytes)
        #expect(object["path"]?.array?.map(\.string) == [sibling])
        let note = String(decoding: proof.proof.checkpoint.bytes, as: UTF8.self)
        #expect(object["checkpoint"]?.string == note)
    }

    @Test func `every bit of a proof matters`() throws {
        let honest = try proof(of: 1, size: 3).bytes
        let faults = honest.indices.filter { place in
            (0..<8).contains { bit in
                var changed = honest
                changed[place] ^= 1 << UInt8(bit)
                guard let proof = try? EntryProof(parsing: changed) else { return false }
                return proof.verification(by: fixture.trust).isVerified
            }
        }
        #expect(faults == [])
    }

    @Test func `a proof that is cut off anywhere is none`() throws {
        let honest = try proof(of: 1, size: 3).bytes
        for count in honest.indices {
            #expect(throws: JSONIssues.self) {
                try EntryProof(parsing: Array(honest.prefix(count)))
            }
        }
        #expect(throws: JSONIssues.self) { try EntryProof(parsing: honest + [0x0A]) }
    }

    @Test(
        arguments: [
            ("index", .integer(-1)), ("index", .string("1")), ("index", .null),
            ("index", .integer(2)), ("index", .integer(.max)),
            ("entry", .string("")), ("entry", .string("ZW50cnkgMQ")), ("entry", .array([])),
            ("entry", .string(String(repeating: "AAAA", count: 21_846))),
            ("path", .string("")), ("path", .array([.string("AAAA")])),
            ("path", .array([.integer(1)])),
            (
                "path",
                .array(
                    Array(repeating: .string(base64([UInt8](repeating: 1, count: 32))), count: 64)
                )
            ),
            ("checkpoint", .string("")), ("checkpoint", .object([:])), ("more", .integer(1)),
        ] as [(String, JSONValue)]
    )
    func `what is in no proof is refused`(key: String, value: JSONValue) throws {
        var object = try #require(JSONValue(parsing: proof(of: 1, size: 2).bytes).object)
        object[key] = value
        #expect(throws: JSONIssues.self) { try EntryProof(parsing: object.canonicalBytes()) }
    }

    @Test func `another spelling of a proof is refused`() throws {
        let text = String(decoding: try proof(of: 1, size: 2).bytes, as: UTF8.self)
        for other in [
            text.replacing("\"index\":1", with: "\"index\": 1"),
            text.replacing("\"index\":1", with: "\"index\":1,\"index\":1"),
            text.replacing("\\n8", with: "\\u000a8"), " \(text)",
            text.replacing("\"entry\":\"ZW50", with: "\"entry\":\"\\u005aW50"),
        ] where other != text {
            #expect(throws: JSONIssues.self) { try EntryProof(parsing: bytes(other)) }
        }
        #expect(throws: JSONIssues.self) { try EntryProof(parsing: []) }
        #expect(throws: JSONIssues.self) {
            try EntryProof(parsing: [UInt8](repeating: 0x20, count: EntryProof.sizeMaximum + 1))
        }
    }

    @Test func `a proof under a checkpoint by a stranger leads there, and is believed by nobody`()
        throws
    {
        let proof = try proof(of: 1, size: 3)
        let other = LogTrust(logKeys: [LogFixture(log: "other.example").logKey])
        #expect(proof.leadsToItsCheckpoint)
        #expect(!proof.verification(by: other).isVerified)
    }
}

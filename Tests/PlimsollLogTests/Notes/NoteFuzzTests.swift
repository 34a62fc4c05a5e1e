import PlimsollLog
import Testing

/// Whatever becomes of a note on its way, it never verifies as something that nobody signed.
@Suite struct NoteFuzzTests {
    private static let count = 1_600

    @Test func `no changed checkpoint verifies, and none stops the program`() throws {
        let key = try VerifierKey(parsing: ReferenceVectors.verifierKey)
        let honest = bytes(ReferenceVectors.checkpoint)
        let text = try SignedNote(parsing: honest).text
        var mutations = Mutations(seed: 20_261_121)
        var parsed = 0
        for number in 0..<Self.count {
            let changed = mutations.change(honest)
            guard let note = try? SignedNote(parsing: changed) else { continue }
            parsed += 1
            #expect(note.bytes == changed, "mutation \(number)")
            guard case .verified = note.verification(by: [key]) else { continue }
            #expect(note.text == text, "mutation \(number)")
        }
        #expect(parsed > 0)
    }

    @Test func `every bit of a checkpoint matters`() throws {
        let key = try VerifierKey(parsing: ReferenceVectors.verifierKey)
        let trust = LogTrust(logKeys: [key])
        let honest = bytes(ReferenceVectors.checkpoint)
        let faults = honest.indices.filter { place in
            (0..<8).contains { bit in
                var changed = honest
                changed[place] ^= 1 << UInt8(bit)
                let checkpoint = try? SignedCheckpoint(parsing: changed)
                return checkpoint?.verification(by: trust).isVerified ?? false
            }
        }
        #expect(faults == [])
    }

    @Test func `no beginning of a checkpoint verifies`() throws {
        let honest = bytes(ReferenceVectors.checkpoint)
        for count in 0..<honest.count {
            #expect(throws: CheckpointError.self) {
                try SignedCheckpoint(parsing: Array(honest.prefix(count)))
            }
        }
    }

    @Test func `changed requests, proofs, keys and paths stop no program`() throws {
        let fixture = LogFixture()
        let signed = try fixture.signed(size: 20)
        let request = AddCheckpointRequest(
            proof: fixture.tree.consistencyProof(from: 7, to: 20),
            checkpoint: signed
        )
        let inclusion = fixture.tree.inclusionProof(of: 5, size: 20)
        let proof = LogProof(inclusion: inclusion, checkpoint: signed)
        var mutations = Mutations(seed: 42)
        let watched = WatchedLog(trust: fixture.trust, last: fixture.tree.root(size: 7))
        for number in 0..<Self.count / 2 {
            let body = mutations.change(request.bytes)
            if let read = try? AddCheckpointRequest(parsing: body) {
                #expect(read.bytes == body, "mutation \(number)")
                if case .extends(let checkpoint) = watched.judge(read) {
                    #expect(checkpoint.root == fixture.tree.root, "mutation \(number)")
                }
            }
            let file = mutations.change(proof.bytes)
            if let read = try? LogProof(parsing: file) {
                #expect(read.bytes == file, "mutation \(number)")
                if case .verified = read.verification(of: leaves(20)[5], by: fixture.trust) {
                    #expect(read.inclusion == inclusion, "mutation \(number)")
                }
            }
            let path = String(
                decoding: mutations.change(bytes("tile/0/x001/067.p/9")),
                as: UTF8.self
            )
            if let address = TileAddress(path: path) { #expect(address.path == path) }
            let text = String(
                decoding: mutations.change(bytes(ReferenceVectors.verifierKey)),
                as: UTF8.self
            )
            if let key = try? VerifierKey(parsing: text) { #expect(key.text == text) }
        }
    }
}

/// Changes bytes in ways that parsers stumble over; the same seed gives the same changes.
private struct Mutations {
    private var state: UInt64

    private static let tokens = [
        "\n", "\n\n", "\r\n", " ", "+", "=", "\u{2014} ", "\u{A0}", "0", "-", "\u{0}", "\u{FEFF}",
        "18446744073709551616", "AAAA", "/", "x000/", ".p/",
    ].map(bytes)

    init(seed: UInt64) {
        state = seed
    }

    mutating func change(_ original: [UInt8]) -> [UInt8] {
        var changed = original
        for _ in 0...below(3) { changeOnce(&changed) }
        return changed
    }

    private mutating func changeOnce(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let place = below(bytes.count)
        let end = min(bytes.count, place + 1 + below(40))
        switch below(7) {
        case 0: bytes[place] ^= 1 << UInt8(below(8))
        case 1: bytes[place] = UInt8(below(256))
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: below(bytes.count))
        case 4: bytes.insert(contentsOf: Self.tokens[below(Self.tokens.count)], at: place)
        case 5: bytes.swapAt(place, below(bytes.count))
        default: bytes.replaceSubrange(place..<end, with: Self.tokens[below(Self.tokens.count)])
        }
    }

    /// SplitMix64.
    private mutating func below(_ limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
    }
}

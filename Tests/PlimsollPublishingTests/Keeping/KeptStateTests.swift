import Foundation
import PlimsollDomain
import PlimsollLog
@testable import PlimsollPublishing
import PlimsollTestSupport
import Testing

/// What the log came to, in a file that the log's key has signed.
@Suite struct KeptStateTests {
    private let program = MerkleHash.leaf([1])
    private let signer: LogSigner
    private let log: LogBuilder

    init() throws {
        signer = try Self.signer()
        var log = LogBuilder()
        try log.register(KeyRecord(id: KeyID(UUID()), app: harbour, publicKey: [1]))
        try log.register(
            KeyRecord(id: KeyID(UUID()), app: slug("tidewater"), publicKey: [2]),
            profile: .complete
        )
        log.apply((.ios, dotted("3.2.0")), (.android, code(320)))
        log.rollBack(.ios, to: dotted("3"))
        log.renew()
        log.apply((.ios, dotted("3.3.0")))
        self.log = log
    }

    // Goal: whoever goes on from a kept state comes to the state and the orders of whoever has read
    // everything. Method: a log is cut at the end of each append, and folded both ways.
    @Test func `from every cut a log comes to what all of it comes to`() throws {
        for cut in log.appends {
            let page = try read(file(at: cut)).page
            let (begun, whole) = (PublicationQueue(), PublicationQueue())
            begun.begin(with: page)
            begun.enter(log.events, leadingTo: log.logState)
            whole.enter(log.events, leadingTo: log.logState)
            #expect(begun.latest == whole.latest)
            #expect(begun.latest.editions == whole.latest.editions)
        }
    }

    @Test func `what was known before is not taken back by it`() throws {
        let queue = PublicationQueue()
        queue.enter(log.events, leadingTo: log.logState)
        let page = queue.latest
        queue.begin(with: try read(file(at: log.appends[1])).page)
        #expect(queue.latest == page)
    }

    @Test func `a file says in its first lines what it is`() throws {
        let lines = String(decoding: try file().prefix(400), as: UTF8.self).split(separator: "\n")
        #expect(lines[0] == "plimsoll/kept-state/v1")
        #expect(lines[1] == "log.example.com/harbour")
        #expect(lines[3] == "\(log.logState.position)")
    }

    @Test func `it is no checkpoint, nor is one of these a checkpoint`() throws {
        let file = try file()
        let lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let head = Array(lines.prefix(9).joined(separator: [UInt8(ascii: "\n")])) + [0x0A]
        #expect(throws: (any Error).self) { try SignedCheckpoint(parsing: head) }
        let checkpoint = try signer.sign(MerkleRoot(size: 0, hash: .emptyTree)).bytes
        #expect(refusal(of: checkpoint) == .notSigned)
    }

    @Test func `another key, another program and no file at all are refused`() throws {
        let file = try file()
        let stranger = try Self.signer()
        #expect(refusal(of: file, key: stranger.verifierKey) == .notSigned)
        #expect(refusal(of: try self.file(by: stranger)) == .notSigned)
        #expect(refusal(of: file, program: .leaf([2])) == .otherProgram)
        #expect(refusal(of: []) == .notSigned)
        #expect(refusal(of: Array(repeating: 0x0A, count: 20)) == .notSigned)
    }

    @Test func `no byte of it can be left out, added or changed`() throws {
        let file = try file()
        for index in file.indices {
            var damaged = file
            damaged[index] ^= 0x04
            #expect(refusal(of: damaged) != nil, "byte \(index)")
        }
        for count in stride(from: 0, to: file.count, by: 11) {
            #expect(refusal(of: Array(file.prefix(count))) != nil, "\(count) bytes")
        }
        #expect(refusal(of: file + [0]) == .damaged)
    }

    // MARK: Parts

    private static func signer() throws -> LogSigner {
        let name = try #require(KeyName("log.example.com/harbour"))
        return try LogSigner(SignerKey(name: name, kind: .note))
    }

    private func file(at cut: Position? = nil, by signer: LogSigner? = nil) throws -> [UInt8] {
        let cut = cut ?? log.logState.position
        let queue = PublicationQueue()
        let events = log.events.prefix { $0.position <= cut }
        queue.enter(events, leadingTo: events.reduce(into: LogState()) { $0.evolve($1) })
        var frontier = MerkleFrontier()
        for event in events { frontier.append(entry: Array("\(event.position)".utf8)) }
        let state = KeptState(queue.latest, frontier, leaf: .leaf(Array("\(cut)".utf8)))
        return try state.signed(by: signer ?? self.signer, program: program)
    }

    private func read(_ file: [UInt8]) throws -> KeptState {
        try KeptState(reading: file, signedBy: signer.verifierKey, program: program)
    }

    private func refusal(
        of file: [UInt8],
        key: VerifierKey? = nil,
        program: MerkleHash? = nil
    ) -> KeptStateRefusal? {
        do throws(KeptStateRefusal) {
            _ = try KeptState(
                reading: file,
                signedBy: key ?? signer.verifierKey,
                program: program ?? self.program
            )
            return nil
        } catch {
            return error
        }
    }
}

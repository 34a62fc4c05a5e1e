import Foundation
import PlimsollSystem
import PlimsollLog
import PlimsollWitness
import Testing

@Suite(.timeLimit(.minutes(5))) struct RoundTests {
    @Test func `whatever extends what was seen is cosigned, over several lives`() async throws {
        let tree = try PublishedTree()
        try await WatchHouse.with { house in
            try await tree.served { address, transport in
                for size in [1, 1, 2, 255, 256, 257, 700, 700, 1000] {
                    let signed = try tree.publish(entries(1...size))
                    try await house.watch(tree) { witness in
                        let log = PublishedLog(at: address, token: nil, over: transport)
                        let cosigned = try await Round(log, witness).look()
                        #expect(cosigned.checkpoint == signed.checkpoint)
                        #expect(isCosigned(cosigned, by: witness.key, tree))
                    }
                    #expect(try house.seen() == signed.checkpoint.root)
                }
            }
            #expect(try house.alarms() == [])
        }
    }

    @Test(arguments: [3, 300])
    func `two histories of one length are an alarm, and the proof is kept`(
        _ size: Int
    ) async throws {
        let other = entries(1...(size - 1)) + ["something else"]
        try await expectAlarm(after: entries(1...size), other) { alarm, root, last, evidence in
            alarm == .forked(root, from: last, evidence: evidence)
        }
    }

    @Test(arguments: [(3, 4), (256, 300), (300, 700)])
    func `a rewritten beginning is an alarm`(_ sizes: (old: Int, new: Int)) async throws {
        let other = ["something else"] + entries(2...sizes.new)
        try await expectAlarm(after: entries(1...sizes.old), other) {
            alarm,
            root,
            last,
            evidence in
            alarm == .rewritten(root, from: last, evidence: evidence)
        }
    }

    @Test(arguments: [1, 256, 299])
    func `events that were taken back are an alarm`(_ size: Int) async throws {
        try await expectAlarm(after: entries(1...300), entries(1...size)) {
            alarm,
            root,
            last,
            evidence in
            alarm == .shrunk(to: root, from: last, evidence: evidence)
        }
    }

    // Goal: what others bring before the address shows it accuses nobody, in this life and in the next.
    // Method: the tiles are there, and the checkpoint is one that was signed before.
    @Test(arguments: [true, false])
    func `what others bring before the log shows it is no alarm`(hasShown: Bool) async throws {
        let tree = try PublishedTree()
        try await WatchHouse.with { house in
            let older = try tree.publish(entries(1...299))
            if hasShown { try await expectLook(of: house, at: tree) }
            let newer = try tree.publish(entries(1...300))
            try await bring(newer, from: hasShown ? 299 : 0, of: tree, to: house)
            tree.replace("checkpoint", older.bytes)
            for _ in 1...2 {
                await #expect(throws: CheckpointLate.self) { try await look(house, tree) }
            }
            #expect(try house.alarms() == [])
            tree.replace("checkpoint", newer.bytes)
            try await expectLook(of: house, at: tree)
            // What the address has shown by now it has to show from now on.
            tree.replace("checkpoint", older.bytes)
            let alarm = try await alarm(of: house, at: tree)
            guard case .shrunk(older.checkpoint.root, newer.checkpoint.root, _) = alarm else {
                Issue.record("\(alarm)")
                return
            }
        }
    }

    @Test func `what others bring of another history is an alarm before the log grows to it`()
        async throws
    {
        let tree = try PublishedTree()
        try await WatchHouse.with { house in
            try tree.publish(entries(1...5))
            try await expectLook(of: house, at: tree)
            try await bring(tree.publish(entries(1...9)), from: 5, of: tree, to: house)
            let other = try tree.publish(entries(1...5) + ["something else"])
            try tree.publish(entries(1...5) + ["something else"] + entries(7...9))
            tree.replace("checkpoint", other.bytes)
            let alarm = try await alarm(of: house, at: tree)
            guard case .shrunk(other.checkpoint.root, _, _) = alarm else {
                Issue.record("\(alarm)")
                return
            }
        }
    }

    @Test func `tiles that prove nothing are an alarm`() async throws {
        try await expectAlarm(after: entries(1...300), entries(1...400)) { tree in
            let path = "tile/0/001.p/144"
            var tile = try #require(tree.file(path))
            tile[tile.count - 1] ^= 1
            tree.replace(path, tile)
        } _: { alarm, root, last, evidence in
            alarm == .unproven(root, from: last, evidence: evidence)
        }
    }

    @Test func `a checkpoint that the log has not signed is an alarm`() async throws {
        let (tree, stranger) = (try PublishedTree(), try PublishedTree())
        let foreign = try PublishedTree("elsewhere.example.com").publish(entries(1...9))
        let forged = try stranger.publish(entries(1...9))
        for bytes in [forged.bytes, foreign.bytes, Array("soup".utf8), []] {
            try await WatchHouse.with { house in
                try tree.publish(entries(1...5))
                try await expectLook(of: house, at: tree)
                let last = try house.seen()
                tree.replace("checkpoint", bytes)
                let alarm = try await alarm(of: house, at: tree)
                guard case .notSigned = alarm else {
                    Issue.record("\(alarm)")
                    return
                }
                #expect(try house.seen() == last)
            }
        }
    }

    @Test func `what cannot be read is no alarm, and nothing is seen`() async throws {
        let tree = try PublishedTree()
        try await WatchHouse.with { house in
            try tree.publish(entries(1...5))
            try await expectLook(of: house, at: tree)
            try tree.publish(entries(1...9))
            tree.replace("tile/0/000.p/9", nil)
            await #expect(throws: LogUnreadable.self) { try await look(house, tree) }
            tree.replace("tile/0/000.p/9", [1, 2, 3])
            await #expect(throws: LogUnreadable.self) { try await look(house, tree) }
            tree.replace("checkpoint", nil)
            await #expect(throws: LogUnreadable.self) { try await look(house, tree) }
            #expect(try house.seen().size == 5)
            #expect(try house.alarms() == [])
        }
    }

    @Test func `a witness that dies before it answers cosigns the same when it lives again`()
        async throws
    {
        let tree = try PublishedTree()
        try await WatchHouse.with { house in
            let signed = try tree.publish(entries(1...5))
            let death: FaultPoint.Injection = { name throws(FileError) in
                if name == "witness.stored" { throw FileError(.write, "/nowhere", code: 5) }
            }
            await #expect(throws: FileError.self) {
                try await FaultPoint.$injection.withValue(death) { try await look(house, tree) }
            }
            #expect(try house.seen() == signed.checkpoint.root)
            try await expectLook(of: house, at: tree)
        }
    }

    // Where a folder stands no file can be put, as none can on a full disk.
    @Test func `an alarm is raised where the proof cannot be kept, and has it then`() async throws {
        let tree = try PublishedTree()
        try await WatchHouse.with { house in
            try tree.publish(entries(1...5))
            try await expectLook(of: house, at: tree)
            let other = try tree.publish(entries(1...4) + ["something else"])
            let root = other.checkpoint.root
            try FileManager.default.createDirectory(
                atPath: house.place(of: "alarm-5-\(root.hash.description.prefix(8))"),
                withIntermediateDirectories: false
            )
            let alarm = try await alarm(of: house, at: tree)
            guard case .forked(root, _, .unkept) = alarm else {
                Issue.record("\(alarm)")
                return
            }
            #expect(alarm.description.contains(Data(other.bytes).base64EncodedString()))
        }
    }

    // A state of before has no word of what the address itself has shown.
    @Test func `what an older program saw was shown, also in the life after the next`() async throws
    {
        let tree = try PublishedTree()
        try await WatchHouse.with { house in
            let older = try tree.publish(entries(1...5))
            try await expectLook(of: house, at: tree)
            try FileManager.default.removeItem(atPath: house.place(of: "shown"))
            let newer = try tree.publish(entries(1...9))
            try await bring(newer, from: 5, of: tree, to: house)
            tree.replace("checkpoint", older.bytes)
            await #expect(throws: CheckpointLate.self) { try await look(house, tree) }
        }
    }

    private typealias Judge = (WitnessAlarm, MerkleRoot, MerkleRoot, WitnessEvidence) -> Bool

    /// Shows one history, then another, and expects an alarm whose proof is the log's own word.
    private func expectAlarm(
        after first: [String],
        _ second: [String],
        spoiling spoil: (PublishedTree) throws -> Void = { _ in },
        _ isExpected: Judge
    ) async throws {
        let tree = try PublishedTree()
        try await WatchHouse.with { house in
            try tree.publish(first)
            try await expectLook(of: house, at: tree)
            let last = try house.seen()
            let signed = try tree.publish(second)
            try spoil(tree)
            let alarm = try await alarm(of: house, at: tree)
            let name = try #require(try house.alarms().first)
            let evidence = WitnessEvidence.file(house.place(of: name))
            #expect(isExpected(alarm, signed.checkpoint.root, last, evidence), "\(alarm)")
            #expect(try house.signed(name) == signed)
            #expect(try house.seen() == last)
            // It is no less an alarm when somebody looks again.
            #expect(try await self.alarm(of: house, at: tree) == alarm)
        }
    }

    /// As an auditor brings what they have read.
    private func bring(
        _ signed: SignedCheckpoint,
        from old: Int,
        of tree: PublishedTree,
        to house: WatchHouse
    ) async throws {
        let body = try request(signed, from: old, tree)
        try await house.watch(tree) { witness in
            guard case (.cosigned, nil) = try await witness.answer(body) else {
                Issue.record("it was not cosigned")
                return
            }
        }
    }

    private func expectLook(of house: WatchHouse, at tree: PublishedTree) async throws {
        let (cosigned, witness) = try await look(house, tree)
        #expect(isCosigned(cosigned, by: witness, tree))
    }

    private func alarm(of house: WatchHouse, at tree: PublishedTree) async throws -> WitnessAlarm {
        try #require(
            await #expect(throws: WitnessAlarm.self) { try await look(house, tree) }
        )
    }

    @discardableResult
    private func look(
        _ house: WatchHouse,
        _ tree: PublishedTree
    ) async throws -> (SignedCheckpoint, VerifierKey) {
        try await tree.served { address, transport in
            try await house.watch(tree) { witness in
                let log = PublishedLog(at: address, token: nil, over: transport)
                return (try await Round(log, witness).look(), witness.key)
            }
        }
    }
}

import PlimsollPublishing
import PlimsollSystem
import PlimsollLog
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

/// What was signed and lies outside, held against the database.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct OutsideLogTests {
    @Test func `a log agrees with nothing, with what was signed, and when it has grown`()
        async throws
    {
        try await LogHouse.with { house in
            #expect(try await house.consistency() == .sound)
            try await house.append(5)
            try await house.publish()
            #expect(try await house.consistency() == .sound)
            try await house.append(300)
            #expect(try await house.consistency() == .sound)
        }
    }

    // Goal: a restore without the export signs no fork unseen. Method: what was published goes, once
    // and twice; a copy elsewhere, and what an operator gave up, tell enough.
    @Test func `a log of which nothing that was published is here is not gone on with`()
        async throws
    {
        try await LogHouse.with { house in
            try await house.append(5)
            try await house.publish()
            let copy = house.folder.root / "copy"
            // A start that died before it published its first one goes on.
            try house.folder.log.rename(to: house.folder.root / "first")
            #expect(try await house.consistency() == .sound)
            try (house.folder.root / "first").rename(to: house.folder.log)
            try await house.append(3)
            let root = try await house.publish()
            try copy.writeDurably(try house.folder.logCheckpoint.read(sizeMaximum: 1 << 16))
            try house.folder.log.removeTree()
            let consistency = try await house.consistency()
            #expect(consistency == .unseen(root))
            let prohibition = try #require(consistency.prohibition)
            #expect(prohibition.cause == .logBehind)
            #expect(prohibition.sentence.contains("--accept-log 8:\(root.hash)"))
            #expect(try await house.consistency(copy) == .sound)
            // What cannot be read is as good as gone.
            try house.folder.logCheckpoint.parent.createFolder()
            for bytes in [[], Array("junk".utf8)] {
                try house.folder.logCheckpoint.writeDurably(bytes)
                #expect(try await house.consistency() == .unseen(root))
            }
            try house.folder.log.removeTree()
            // Who goes on has published it, and the next start finds that.
            try await house.publish()
            #expect(try await house.consistency() == .sound)
        }
    }

    @Test func `an older database is behind`() async throws {
        try await withPublished(7) { house, root in
            try await house.rewind(to: 3)
            let expected = LogConsistency.behind(root, house.published, size: 3)
            #expect(try await house.consistency() == expected)
            let sentence = try #require(expected.prohibition?.sentence)
            #expect(sentence.contains("has 3 events"))
            #expect(sentence.contains("--accept-log 7:\(root.hash),"))
        }
    }

    @Test func `an older database that went on by itself is a fork`() async throws {
        try await withPublished(7) { house, root in
            try await house.rewind(to: 3)
            try await house.asOwner("UPDATE log.event SET entry = entry || 'x' WHERE position = 3")
            try await house.append(10)
            let expected = LogConsistency.forked(root, house.published)
            #expect(try await house.consistency() == expected)
        }
    }

    @Test func `a history that was rewritten with all its records is a fork`() async throws {
        try await withPublished(7) { house, root in
            try await house.rewind(to: 0)
            try await house.asOwner(
                """
                INSERT INTO log.event (
                    position, revision, recorded_at, event_id, command_id, shape, stream, type,
                    entry
                )
                SELECT n, n, now(), gen_random_uuid(), gen_random_uuid(), 1, 'service', 'test',
                    convert_to('other ' || n, 'UTF8')
                FROM generate_series(1, 9) AS n
                """
            )
            let expected = LogConsistency.forked(root, house.published)
            #expect(try await house.consistency() == expected)
        }
    }

    @Test func `what was given up is kept beside the log that begins`() async throws {
        try await withPublished(7) { house, root in
            try await house.rewind(to: 3)
            let kept = try house.folder.logCheckpoint.read(sizeMaximum: 4096)
            try await house.consistencyCheck { outside in
                try await outside.giveUp(root)
                let place = try await outside.setAside()
                #expect(place != nil)
                #expect(try await outside.consistency() == .sound)
                let second = try await outside.setAside()
                #expect(second == nil)
            }
            let name = "log-7-\(root.hash.description.prefix(8))"
            let left = try (house.folder.root / name / "checkpoint").read(sizeMaximum: 4096)
            #expect(left == kept)
            let again = try await house.publish()
            #expect(again.size == 3)
            #expect(try await house.audited() == again)
            #expect(try await house.consistency() == .sound)
            // Somebody puts the export folder of before back over this one.
            try house.folder.logCheckpoint.writeDurably(kept)
            try await house.consistencyCheck { outside in
                #expect(try await outside.consistency() == .sound)
                let third = try await outside.setAside()
                #expect(third == house.folder.root / "\(name)-again")
            }
            #expect(try (house.folder.root / name / "checkpoint").read(sizeMaximum: 4096) == kept)
        }
    }

    // Goal: what was given up once excuses nothing that was published after it.
    @Test func `a log that went on after it was given up is missed like any other`() async throws {
        try await withPublished(7) { house, root in
            try await house.rewind(to: 3)
            try await house.consistencyCheck { outside in
                try await outside.giveUp(root)
                _ = try await outside.setAside()
            }
            for count in [2, 4] {
                try await house.append(count)
                try await house.publish()
            }
            try house.folder.log.removeTree()
            let newest = try await house.tree().root
            #expect(newest.size == 9)
            #expect(try await house.consistency() == .unseen(newest))
        }
    }

    // Goal: whoever owns the database alone cannot switch the comparison off.
    @Test func `that the database gave it up is not believed`() async throws {
        try await withPublished(7) { house, root in
            try await house.rewind(to: 3)
            try await house.consistencyCheck { outside in
                try await outside.giveUp(root)
                #expect(try await outside.consistency() == .sound)
            }
            let note = house.folder.givenUp(root)
            let said = try note.read(sizeMaximum: 4096)
            let lost = LogConsistency.behind(root, house.published, size: 3)
            let changed = Array(said.dropLast(9)) + Array("AAAAAAA=\n".utf8)
            let forgeries: [[UInt8]?] = [nil, Array("x".utf8), changed]
            for forged in forgeries {
                try note.removeTree()
                if let forged { try note.writeDurably(forged) }
                try await house.consistencyCheck { outside in
                    #expect(try await outside.consistency() == lost)
                    let place = try await outside.setAside()
                    #expect(place == nil)
                }
            }
            try note.writeDurably(said)
            #expect(try await house.consistency() == .sound)
            let other = MerkleRoot(size: 7, hash: .emptyTree)
            try house.folder.givenUp(other).writeDurably(said)
            let key = try #require(try house.key.signer()).verifierKey
            #expect(CheckpointOverrides(house.folder).find(other, signedBy: [key]) == nil)
            #expect(CheckpointOverrides(house.folder).find(root, signedBy: [key])?.kept == 3)
        }
    }

    // Goal: whoever owns the database and the export folder, and not the log's key, cannot either.
    @Test func `a note is not believed because its key lies beside the published log`()
        async throws
    {
        try await withPublished(7) { house, root in
            let elsewhere = house.folder.root.parent / "copy"
            try elsewhere.writeDurably(house.folder.logCheckpoint.read(sizeMaximum: 4096))
            try await house.rewind(to: 3)
            try await house.consistencyCheck { try await $0.giveUp(root) }
            let stranger = try LogSigner(
                SignerKey(name: #require(KeyName("log.example.com/harbour")), kind: .note)
            )
            try house.folder.logCheckpoint.removeTree()
            try house.folder.logKey.writeDurably(Array((stranger.verifierKey.text + "\n").utf8))
            #expect(try TileStore(house.folder).key() == stranger.verifierKey)
            #expect(try await house.consistency(elsewhere) == .sound)
            try house.folder.givenUp(root).writeDurably(stranger.giveUp(root, keeping: 3).bytes)
            let lost = LogConsistency.behind(root, elsewhere.description, size: 3)
            #expect(try await house.consistency(elsewhere) == lost)
        }
    }

    /// Of a log that was published once; the exporter says what is wrong, and phones are served.
    @Test(arguments: ["checkpoint", "key"])
    func `what is no checkpoint in the folder, and no key, keeps nobody from starting`(
        name: String
    ) async throws {
        try await withPublished(7) { house, _ in
            let path = house.folder.log / name
            for isFolder in [false, true] {
                try path.removeTree()
                if isFolder {
                    try path.createFolder()
                } else {
                    try path.writeDurably(Array("garbage".utf8))
                }
                try await house.consistencyCheck { outside in
                    let setAside = try await outside.setAside()
                    #expect(setAside == nil)
                    #expect(try await outside.consistency() == .sound)
                }
            }
        }
    }

    @Test func `a copy elsewhere counts as much, and the longest is told`() async throws {
        try await withPublished(4) { house, _ in
            let copy = house.folder.root.parent / "copy"
            try await house.append(4)
            let root = try await house.publish()
            try copy.writeDurably(house.folder.logCheckpoint.read(sizeMaximum: 4096))
            try await house.rewind(to: 3)
            try house.folder.log.removeTree()
            #expect(try await house.consistency() == .sound)
            let expected = LogConsistency.behind(root, copy.description, size: 3)
            #expect(try await house.consistency(copy) == expected)
        }
    }

    @Test func `a file that was named and says nothing is no reassurance`() async throws {
        try await withPublished(4) { house, _ in
            let copy = house.folder.root.parent / "copy"
            await #expect(throws: OutsideCheckpointUnusable.self) {
                try await house.consistency(copy)
            }
            for bad in ["", "no note"] {
                try copy.writeDurably(Array(bad.utf8))
                await #expect(throws: OutsideCheckpointUnusable.self) {
                    try await house.consistency(copy)
                }
            }
            let stranger = try LogSigner(
                SignerKey(name: #require(KeyName("log.example.com/harbour")), kind: .note)
            )
            try copy.writeDurably(stranger.sign(.empty).bytes)
            await #expect(throws: OutsideCheckpointUnusable.self) {
                try await house.consistency(copy)
            }
        }
    }

    @Test func `a checkpoint that is fetched counts as much`() async throws {
        try await withPublished(7) { house, root in
            let note = try house.folder.logCheckpoint.read(sizeMaximum: 4096)
            try await house.rewind(to: 3)
            try house.folder.log.removeTree()
            let url = "https://witness.example.com/checkpoint"
            let shown = CheckpointPlace(at: url) { _ in note }
            let expected = LogConsistency.behind(root, url, size: 3)
            #expect(try await house.consistency([shown]) == expected)
            #expect(expected.prohibition?.cause == .logBehind)
            #expect(expected.prohibition?.sentence.contains(url) == true)
            let signed = CheckpointPlace(at: url + "?signature=hunter2") { _ in note }
            let named = LogConsistency.behind(root, url + "?…", size: 3)
            #expect(try await house.consistency([signed]) == named)
            let soup = CheckpointPlace(at: url) { _ in Array("<html>".utf8) }
            await #expect(throws: OutsideCheckpointUnusable.self) {
                try await house.consistency([soup])
            }
            let away = CheckpointPlace(at: url) { _ in throw CancellationError() }
            await #expect(throws: OutsideCheckpointAway.self) {
                try await house.consistency([away])
            }
        }
    }

    private func withPublished(
        _ count: Int,
        _ body: (LogHouse, MerkleRoot) async throws -> Void
    ) async throws {
        try await LogHouse.with { house in
            try await house.append(count)
            try await body(house, house.publish())
        }
    }
}

extension LogHouse {
    /// Restores what the database was after so many events.
    func rewind(to size: Int) async throws {
        try await asOwner(
            "ALTER TABLE log.event DISABLE TRIGGER ALL",
            "ALTER TABLE log.checkpoint DISABLE TRIGGER ALL",
            "DELETE FROM log.event WHERE position > \(Int64(size))",
            "DELETE FROM log.checkpoint WHERE size > \(Int64(size))"
        )
    }

    fileprivate var published: String { folder.logCheckpoint.description }

    fileprivate func consistency(_ others: Path...) async throws -> LogConsistency {
        try await consistency(others.map { CheckpointPlace(in: $0) })
    }

    fileprivate func consistency(_ others: [CheckpointPlace]) async throws -> LogConsistency {
        try await consistencyCheck(with: others) { try await $0.consistency() }
    }

    fileprivate func consistencyCheck<Result>(
        with others: [CheckpointPlace] = [],
        _ body: (OutsideLog) async throws -> Result
    ) async throws -> Result {
        let session = try await Session.open(connection, settings: .service)
        let log = PublicLog(checkpoints: Checkpoints(EventLog(session)), key: key)
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body(OutsideLog(log, folder, others: others)))
        } catch {
            result = .failure(error)
        }
        await session.close()
        return try result.get()
    }
}

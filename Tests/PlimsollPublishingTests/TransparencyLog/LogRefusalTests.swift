import Foundation
import PlimsollPublishing
import PlimsollSystem
import PlimsollLog
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

/// What the log's exporter finds and does not sign beside.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct LogRefusalTests {
    @Test func `a log that was signed gets no second key`() async throws {
        try await withPublished(3) { house in
            try house.key.path.removeFile()
            try await refuses(house, .key(.missing(house.key.path)))
            #expect(try house.key.path.status() == nil)
        }
    }

    @Test func `a key that others can read does not sign`() async throws {
        try await withPublished(3) { house in
            try house.key.path.setPermissions(.readableByAll)
            await #expect {
                try await house.publish()
            } throws: { error in
                guard case .key(.unreadable(let cause)) = error as? PublicLogFailure else {
                    return false
                }
                return cause.operation == .trust
            }
        }
    }

    @Test func `a log keeps its name`() async throws {
        try await withPublished(3) { house in
            let other = LogHouse(
                root: house.folder.root.parent,
                connection: house.connection,
                origin: "other.example.com/log"
            )
            let origin = try #require(try house.key.signer()).origin
            try await refuses(other, .key(.otherOrigin(house.key.path, origin)))
            let silent = LogHouse(
                root: house.folder.root.parent,
                connection: house.connection,
                origin: nil
            )
            try await silent.publish()
        }
    }

    @Test func `a log without a name gets one that no other has`() async throws {
        try await withScratchFolder { root in
            let names = try ["one", "two"].map { name in
                try LogKeyFile(root / name, origin: nil).make().origin.text
            }
            #expect(Set(names).count == 2)
            #expect(names.allSatisfy { $0.wholeMatch(of: /plimsoll\.local\/[0-9a-f]{16}/) != nil })
        }
    }

    @Test func `another key than the one that signed is refused`() async throws {
        try await withPublished(3) { house in
            try house.key.path.removeFile()
            _ = try house.key.make()
            try await refuses(house, .foreignKey(house.folder.logKey))
            try house.folder.root.removeTree()
            await #expect {
                try await house.publish()
            } throws: { error in
                guard case .foreignRecord(3, _) = error as? PublicLogFailure else { return false }
                return true
            }
        }
    }

    // Whoever has the service's login can record one over as many events as there are.
    @Test func `a record that the key has not signed is passed over, and stands in its place`()
        async throws
    {
        try await withPublished(3) { house in
            try await house.append(2)
            let session = try await Session.open(house.connection, settings: .service)
            _ = try await session.query("SELECT log.add_checkpoint(5, sha256(''), '', 'x')")
            await session.close()
            try await house.begin()
            await #expect(throws: LogError.self) { try await house.publish() }
            try await house.append(1)
            #expect(try await house.publish().size == 6)
            #expect(try await house.audited().size == 6)
        }
    }

    @Test func `a snapshot names no checkpoint that the log's key has not signed`() async throws {
        try await withPublished(3) { house in
            try await house.append(2)
            let session = try await Session.open(house.connection, settings: .service)
            let checkpoints = Checkpoints(EventLog(session))
            let frontier = try await checkpoints.frontier(size: 5)
            let stray = StoredCheckpoint(frontier: frontier, note: Array("x".utf8))
            _ = try await checkpoints.add(stray)
            #expect(try await checkpoints.newest() == stray)
            let log = PublicLog(checkpoints: checkpoints, key: house.key)
            #expect(try await log.newestCheckpoint()?.root.size == 3)
            await session.close()
        }
    }

    @Test func `a record that was changed is passed over`() async throws {
        try await withPublished(3) { house in
            try await house.asOwner(
                "ALTER TABLE log.checkpoint DISABLE TRIGGER ALL",
                "UPDATE log.checkpoint SET frontier = ''"
            )
            try await house.append(1)
            #expect(try await house.publish().size == 4)
            #expect(try await house.audited().size == 4)
        }
    }

    @Test func `a changed tile is not signed over`() async throws {
        try await withPublished(3) { house in
            let tile = house.folder.log / "tile/0/000.p/3"
            try tile.writeDurably(Array(repeating: 7, count: 96))
            try await house.append(1)
            // The tree is made anew from the events, and what lies there is not of it.
            try await refuses(house, .foreignTile(tile))
            #expect(try await house.recorded() == [3])
        }
    }

    @Test func `an event that was changed under a checkpoint is found where tiles are lost`()
        async throws
    {
        try await withPublished(300) { house in
            try await house.asOwner(
                "ALTER TABLE log.event DISABLE TRIGGER ALL",
                "UPDATE log.event SET entry = 'x' WHERE position = 2"
            )
            try house.folder.root.removeTree()
            try await refuses(house, .forked(size: 300))
            #expect(try house.files() == ["key"])
        }
    }

    @Test func `a database that is older than what is published is not signed`() async throws {
        try await withPublished(3) { house in
            try await house.append(4)
            try await house.publish()
            try await house.asOwner(
                "ALTER TABLE log.event DISABLE TRIGGER ALL",
                "ALTER TABLE log.checkpoint DISABLE TRIGGER ALL",
                "DELETE FROM log.event WHERE position > 5",
                "DELETE FROM log.checkpoint WHERE size > 3"
            )
            try await refuses(house, .behind(published: 7, recorded: 3))
            #expect(try await house.recorded() == [3])
        }
    }

    // A failover, or a point in time, may take the row alone: it is written after the events.
    @Test(arguments: [0, 2])
    func `a checkpoint whose row was lost is recorded again, over the same events`(
        later: Int
    ) async throws {
        try await withPublished(3) { house in
            try await house.append(4)
            try await house.publish()
            let note = try house.folder.logCheckpoint.read(sizeMaximum: 1 << 16)
            try await loseCheckpoints(of: house, above: 3)
            try await house.append(later)
            try await house.begin()
            #expect(try await house.recorded() == [3, 7])
            #expect(try house.folder.logCheckpoint.read(sizeMaximum: 1 << 16) == note)
            let root = try await house.publish()
            #expect(root.size == 7 + later)
            #expect(try await house.audited() == root)
        }
    }

    @Test func `the first checkpoint of all may be lost like that`() async throws {
        try await withPublished(3) { house in
            try await loseCheckpoints(of: house, above: 0)
            try await house.begin()
            #expect(try await house.recorded() == [3])
        }
    }

    @Test func `a row is not recorded again over other events`() async throws {
        try await withPublished(3) { house in
            try await house.append(4)
            try await house.publish()
            try await loseCheckpoints(of: house, above: 3)
            try await house.asOwner(
                "ALTER TABLE log.event DISABLE TRIGGER ALL",
                "UPDATE log.event SET entry = 'x' WHERE position = 6"
            )
            try await refuses(house, .forked(size: 7))
            #expect(try await house.recorded() == [3])
        }
    }

    @Test func `a checkpoint with another root is a fork`() async throws {
        try await withPublished(3) { house in
            let signer = try #require(try house.key.signer())
            let forked = try signer.sign(MerkleRoot(size: 3, hash: .leaf([1])))
            try house.folder.logCheckpoint.writeDurably(forked.bytes)
            try await refuses(house, .forked(size: 3))
        }
    }

    @Test func `a checkpoint that the key has not signed is not replaced`() async throws {
        try await withPublished(3) { house in
            for bad in ["", "no note\n"] {
                try house.folder.logCheckpoint.writeDurably(Array(bad.utf8))
                await #expect {
                    try await house.publish()
                } throws: { error in
                    guard case .foreignCheckpoint = error as? PublicLogFailure else { return false }
                    return true
                }
                let left = try house.folder.logCheckpoint.read(sizeMaximum: 4096)
                #expect(left == Array(bad.utf8))
            }
        }
    }

    private func withPublished(
        _ count: Int,
        _ body: (LogHouse) async throws -> Void
    ) async throws {
        try await LogHouse.with { house in
            try await house.append(count)
            try await house.publish()
            try await body(house)
        }
    }

    private func loseCheckpoints(of house: LogHouse, above size: Int) async throws {
        try await house.asOwner(
            "ALTER TABLE log.checkpoint DISABLE TRIGGER ALL",
            "DELETE FROM log.checkpoint WHERE size > \(Int64(size))",
            "ALTER TABLE log.checkpoint ENABLE TRIGGER ALL"
        )
    }

    private func refuses(_ house: LogHouse, _ failure: PublicLogFailure) async throws {
        await #expect(throws: failure) { try await house.publish() }
    }
}

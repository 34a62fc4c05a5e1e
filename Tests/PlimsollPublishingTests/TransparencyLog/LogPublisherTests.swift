import Foundation
import Logging
import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem
import PlimsollLog
import PlimsollPostgres
import PlimsollTestSupport
import ServiceLifecycleTestKit
import Testing

@testable import PlimsollStore

@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct LogPublisherTests {
    @Test func `the first checkpoint comes with its key, its tiles and a record`() async throws {
        try await LogHouse.with { house in
            try await house.append(3)
            let root = try await house.publish()
            #expect(try await root == house.tree().root)
            #expect(try await house.audited() == root)
            #expect(try await house.recorded() == [3])
            #expect(try house.files() == ["checkpoint", "key", "tile/0/000.p/3"])
            let signer = try #require(try house.key.signer())
            #expect(signer.origin.text == "log.example.com/harbour")
            let key = try house.folder.logKey.read(sizeMaximum: 4096)
            #expect(String(decoding: key, as: UTF8.self) == "\(signer.verifierKey)\n")
        }
    }

    @Test func `an empty log is not signed`() async throws {
        try await LogHouse.with { house in
            let root = try await house.publish()
            #expect(root == .empty)
            #expect(try house.files() == ["key"])
            #expect(try await house.recorded() == [])
        }
    }

    @Test func `every size's tiles stay until full ones replace them`() async throws {
        try await LogHouse.with { house in
            for (count, tiles) in [
                (254, ["0/000.p/254"]), (1, ["0/000.p/254", "0/000.p/255"]),
                (1, ["0/000", "1/000.p/1"]), (1, ["0/000", "0/001.p/1", "1/000.p/1"]),
                (300, ["0/000", "0/001", "0/002.p/45", "1/000.p/1", "1/000.p/2"]),
            ] {
                try await house.append(count)
                let root = try await house.publish()
                #expect(try await house.audited() == root)
                #expect(try await root == house.tree().root)
                #expect(try house.files() == ["checkpoint", "key"] + tiles.map { "tile/\($0)" })
            }
        }
    }

    @Test func `one exporter goes on from what it has in memory`() async throws {
        try await LogHouse.with { house in
            try await house.publishing { publisher, edge, _ in
                for count in [1, 200, 56, 600] {
                    try await house.append(count)
                    let root = try await publisher.publish(&edge)
                    #expect(try await house.audited() == root)
                    #expect(try await root == house.tree().root)
                }
            }
        }
    }

    @Test func `a stop waits for one page of a long log, and the next start goes on`() async throws
    {
        try await LogHouse.with { house in
            try await house.append(2 * EventLog.pageMaximum + 300)
            await #expect(throws: CancellationError.self) {
                try await testGracefulShutdown { trigger in
                    trigger.triggerGracefulShutdown()
                    _ = try await house.publish()
                }
            }
            #expect(try await house.recorded() == [])
            let root = try await house.publish()
            #expect(try await root == house.tree().root)
            #expect(try await house.audited() == root)
            #expect(try await house.recorded() == [root.size])
        }
    }

    @Test func `a stop keeps nobody from signing what was left`() async throws {
        try await LogHouse.with { house in
            try await house.append(5)
            let memory = LogMemory(logger: Logger(label: "log"))
            let end = try #require(Position(rawValue: 5))
            memory.add([], upTo: LogTip(position: end, leaf: .emptyTree))
            let root = try await testGracefulShutdown { trigger in
                trigger.triggerGracefulShutdown()
                return try await house.publish(knowing: memory)
            }
            #expect(root.size == 5)
            #expect(try await house.recorded() == [5])
        }
    }

    @Test func `a log that has not grown gets no other checkpoint`() async throws {
        try await LogHouse.with { house in
            try await house.append(5)
            try await house.publish()
            let before = try house.folder.logCheckpoint.read(sizeMaximum: 4096)
            try await house.publish()
            #expect(try house.folder.logCheckpoint.read(sizeMaximum: 4096) == before)
            #expect(try await house.recorded() == [5])
        }
    }

    @Test func `a lost folder is written again with the same bytes`() async throws {
        try await LogHouse.with { house in
            try await house.append(300)
            try await house.publish()
            let before = try house.folder.logCheckpoint.read(sizeMaximum: 4096)
            try house.folder.root.removeTree()
            try await house.begin()
            #expect(try house.folder.logCheckpoint.read(sizeMaximum: 4096) == before)
            #expect(try await house.audited() == house.tree().root)
        }
    }

    @Test(arguments: ["tile/0/000", "tile/1/000.p/1", "tile/0", "key", "checkpoint"])
    func `whatever is lost of the folder, a start writes it again`(lost: String) async throws {
        try await LogHouse.with { house in
            try await house.append(300)
            try await house.publish()
            let files = try house.files()
            try lost.split(separator: "/").reduce(house.folder.log) { $0 / String($1) }.removeTree()
            try await house.begin()
            #expect(try house.files() == files)
            #expect(try await house.audited() == house.tree().root)
        }
    }

    @Test func `a folder that is lost under a running exporter is whole after the next event`()
        async throws
    {
        try await LogHouse.with { house in
            try await house.append(300)
            try await house.publishing { publisher, edge, _ in
                _ = try await publisher.publish(&edge)
                try house.folder.log.removeTree()
                try await house.append(1)
                _ = try await publisher.publish(&edge)
            }
            #expect(try await house.audited() == house.tree().root)
            let whole = ["checkpoint", "key", "tile/0/000", "tile/0/001.p/44", "tile/0/001.p/45"]
            #expect(try house.files() == whole + ["tile/1/000.p/1"])
        }
    }

    @Test func `who lost the lease neither records a checkpoint nor shows it, and the next does`()
        async throws
    {
        try await LogHouse.with { house in
            try await house.append(2)
            let old = try await house.publish()
            try await house.append(2)
            try await house.publishing { publisher, edge, lead in
                await lead.release()
                await #expect(throws: LeaseLost.self) { try await publisher.publish(&edge) }
            }
            #expect(try await house.audited() == old)
            #expect(try await house.recorded() == [2])
            _ = try await house.publish()
            #expect(try await house.audited() == house.tree().root)
        }
    }
}

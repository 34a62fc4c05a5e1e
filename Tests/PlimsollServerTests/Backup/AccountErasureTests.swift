import Foundation
import Logging
import PlimsollAPI
import PlimsollDevices
import PlimsollMarketplace
import PlimsollPostgres
import PlimsollService
import PlimsollStore
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

/// What is kept of somebody who installs from a marketplace, erased from beside the service.
@Suite(.scratchDatabase, .timeLimit(.minutes(2)))
struct AccountErasureTests {
    private static let silent = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }

    private func withData(_ body: (Path) async throws -> Void) async throws {
        let folder = Path(NSTemporaryDirectory() + "plimsoll-erasure-\(UUID().uuidString)")
        try (folder / "keys").createFolder(permissions: .folderOfOwner)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(folder))
        } catch {
            result = .failure(error)
        }
        try folder.removeTree()
        try result.get()
    }

    @Test func `an account goes, and how many apps it had is told`() async throws {
        let database = RunningDatabase(try ScratchDatabase.current.connection)
        try await StoreSchema.prepare(database.connection)
        try await withData { data in
            let key = try AccountKey(at: data / "keys" / AccountKey.fileName)
            await database.withPool(sessionsMaximum: 1) { pool in
                let types = DownloadTypes(
                    DownloadHistory(pool, key),
                    timeout: .seconds(20),
                    logger: Self.silent,
                    now: { testNow }
                )
                let had = await types.redownloads(
                    of: [item(1), item(2)],
                    for: .restore,
                    of: "person-1"
                )
                #expect(had.isEmpty)
            }
            let erasure = AccountErasure(database, data: data.string)
            #expect(try await erasure.forget("person-2") == 0)
            #expect(try await erasure.forget("person-1") == 2)
            #expect(try await erasure.forget("person-1") == 0)
        }
    }

    @Test func `the service erases with the key of its data, once it is there`() async throws {
        let database = RunningDatabase(try ScratchDatabase.current.connection)
        try await StoreSchema.prepare(database.connection)
        try await withData { data in
            let place = data / "keys" / AccountKey.fileName
            try await database.withPool(sessionsMaximum: 1) { pool in
                let memory = AccountMemory(pool, key: place, logger: Self.silent)
                #expect(try await memory.erasure("person-1")() == 0)
                let history = DownloadHistory(pool, try AccountKey(at: place))
                let types = DownloadTypes(
                    history,
                    timeout: .seconds(20),
                    logger: Self.silent,
                    now: { testNow }
                )
                _ = await types.redownloads(
                    of: [item(1), item(2)],
                    for: .restore,
                    of: "person-1"
                )
                #expect(try await memory.erasure("person-2")() == 0)
                #expect(try await memory.erasure("person-1")() == 2)
                #expect(try await memory.erasure("person-1")() == 0)
                _ = await types.redownloads(
                    of: [item(1)],
                    for: .restore,
                    of: "person-1"
                )
                let elsewhere = AccountMemory(pool, key: data / "none", logger: Self.silent)
                await #expect(throws: Problem.accountKeyUnusable) {
                    try await elsewhere.erasure("person-1")
                }
                try place.writeDurably([1, 2, 3], permissions: .ownerOnly)
                await #expect(throws: Problem.accountKeyUnusable) {
                    try await memory.erasure("person-1")
                }
            }
        }
    }

    @Test func `without the key nothing can be found, and none is made`() async throws {
        let database = RunningDatabase(try ScratchDatabase.current.connection)
        try await StoreSchema.prepare(database.connection)
        try await withData { data in
            let failure = await #expect(throws: DatabaseFailure.self) {
                try await AccountErasure(database, data: data.string).forget("person-1")
            }
            #expect(failure?.description.contains("no key of accounts") == true)
            let kept = try (data / "keys").entries()
            #expect(kept.isEmpty)
        }
    }

    @Test func `a database that is away is told of`() async throws {
        try await withData { data in
            _ = try AccountKey(at: data / "keys" / AccountKey.fileName)
            let database = RunningDatabase(url: "host=/nowhere dbname=none connect_timeout=1")
            let failure = await #expect(throws: DatabaseFailure.self) {
                try await AccountErasure(database, data: data.string).forget("person-1")
            }
            #expect(failure?.description.contains("Nothing was erased") == true)
        }
    }
}

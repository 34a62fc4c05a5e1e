import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import Synchronization
@testable import PlimsollService
import Testing

/// What is kept of those who install is erased, and whose it was is told nowhere.
@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct AccountMemoryTests {
    private static let account = "dorothea-7f3c21"

    /// The accounts that were erased, in their order.
    private final class Erased: Sendable {
        private let state = Mutex<[String]>([])

        var accounts: [String] { state.withLock(\.self) }
        var memory: AccountMemory {
            AccountMemory { account in
                {
                    self.state.withLock { $0.append(account) }
                    return 3
                }
            }
        }
    }

    private func useCases(_ house: House, _ memory: AccountMemory) -> UseCases {
        UseCases(
            writer: house.writer,
            readModels: house.useCases.readModels,
            directory: house.useCases.directory,
            keys: house.useCases.keys,
            logFiles: house.useCases.logFiles,
            accounts: memory,
            clock: house.useCases.clock
        )
    }

    private func entries(_ house: House) async throws -> String {
        let bytes = try await house.log.backUp(into: [UInt8]()) { $0 += $1.bytes }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `it is recorded that somebody is forgotten, and not who`() async throws {
        try await House.with { house in
            let erased = Erased()
            let useCases = useCases(house, erased.memory)
            let request = house.request(by: house.administrator, named: "a", saying: Self.account)
            #expect(try await useCases.forgetAccount(Self.account, request).apps == 3)
            #expect(erased.accounts == [Self.account])
            let head = house.head
            let text = try await entries(house)
            #expect(text.contains("AccountForgotten"))
            #expect(!text.contains("dorothea"))
            // Under a name that was used before, whoever is named then is erased as well.
            let again = house.request(by: house.administrator, named: "a", saying: "other")
            #expect(try await useCases.forgetAccount("other", again).apps == 3)
            #expect(erased.accounts == [Self.account, "other"])
            #expect(house.head == head)
            let found = try await house.log.verify {
                EntryVerifier(deciding: DecisionAudit { ChangeDigest(of: $0) }, rootsOf: $0)
            }
            guard case .sound = found else {
                Issue.record("the log is not sound: \(found)")
                return
            }
        }
    }

    @Test func `who may not do it, or only tries, erases nothing and records nothing`()
        async throws
    {
        try await House.with { house in
            let erased = Erased()
            let useCases = useCases(house, erased.memory)
            try await house.register()
            let others = [
                try await house.caller(.viewer, .proposer, .approver, .responder, .auditor),
                try await house.caller(.admin, in: .app(harbour)),
            ]
            let head = house.head
            for caller in others {
                await #expect(throws: UseCaseError(.roleMissing(.admin, .all))) {
                    try await useCases.forgetAccount(Self.account, house.request(by: caller))
                }
            }
            let trial = house.request(by: house.administrator, .dryRun)
            #expect(try await useCases.forgetAccount(Self.account, trial).apps == nil)
            #expect(erased.accounts.isEmpty && house.head == head)
        }
    }

    @Test func `without the key of accounts nothing is recorded`() async throws {
        try await House.with { house in
            let head = house.head
            let request = house.request(by: house.administrator)
            await #expect(throws: UseCaseError.problem(.accountKeyUnusable)) {
                try await useCases(house, .closed).forgetAccount(Self.account, request)
            }
            #expect(house.head == head)
        }
    }
}

import Crypto
import Foundation
import Glibc
import PlimsollAPI
import PlimsollJSON
import Subprocess
import Synchronization
import Testing

extension ServiceTests {
    /// Whatever dies while Apple tells and devices ask, no notification that was taken is lost, and
    /// devices are answered.
    @Suite(.timeLimit(.minutes(60))) struct MarketplaceKillTests {
        private static let package = "878123456789"

        // Goal: what was answered 2xx is in the record, once; devices notice nothing. Method: the
        // database is killed behind a random one of many notifications, each of which is sent twice.
        @Test func `a database that is killed while Apple tells loses no notification`()
            async throws
        {
            try await ServerFixture.with { fixture in
                let apple = Apple()
                let environment = try environment(in: fixture)
                var moments = RandomMoments()
                try await fixture.run(environment: environment) { server in
                    try await open(server)
                    for round in 1...Trial.deaths {
                        let moment = Int.random(in: 1...Apple.share, using: &moments)
                        try await withDevices(asking: server) {
                            try await apple.tell(server, round, strikingAfter: moment) {
                                let postmaster = try fixture.postmaster()
                                #expect(kill(postmaster, SIGKILL) == 0)
                            }
                        }
                        #expect(apple.open.isEmpty)
                        apple.expectKept(in: try await server.settle())
                    }
                    Attachment.record("seed \(moments.seed)", named: "told-databases.txt")
                }
                try await fixture.run(environment: environment) { _ in
                    try await fixture.expectVerified()
                }
            }
        }

        @Test func `a service that is killed while Apple tells loses no notification`()
            async throws
        {
            try await ServerFixture.with { fixture in
                let apple = Apple()
                let environment = try environment(in: fixture)
                var moments = RandomMoments()
                try await fixture.run(environment: environment) { try await open($0) }
                for round in 1...Trial.deaths {
                    let moment = Int.random(in: 1...Apple.share, using: &moments)
                    let end = try await fixture.run(environment: environment) { server in
                        try await apple.tell(server, round, strikingAfter: moment) {
                            server.send(SIGKILL)
                        }
                    }
                    #expect(end == .signaled(SIGKILL))
                    try await fixture.run(environment: environment) { server in
                        apple.expectKept(in: try await server.settle())
                        try await expectAnswer(of: server)
                    }
                }
                try await fixture.run(environment: environment) { server in
                    try await apple.tell(server, 0, strikingAfter: 1) {}
                    #expect(apple.open.isEmpty)
                    apple.expectKept(in: try await server.settle())
                    try await fixture.expectVerified()
                }
                Attachment.record("seed \(moments.seed)", named: "told-services.txt")
            }
        }

        private func environment(in fixture: ServerFixture) throws -> [String: String] {
            let key = P256.Signing.PrivateKey().pemRepresentation
            return [
                "PLIMSOLL_MARKETPLACE_NOTIFICATIONS_SECRET": Apple.secret,
                "PLIMSOLL_MARKETPLACE_TOKEN_KEYS":
                    "2b5fd8a1-3c5e-4c59-9d53-6a1b7c9e0d42=env:PLIMSOLL_TOKEN_KEY",
                "PLIMSOLL_TOKEN_KEY": key,
            ]
        }

        private func open(_ server: RunningServer) async throws {
            try await server.openMarketplace(with: [Self.package])
            try await server.offer([Self.package])
            try await eventually("an offer") {
                let reply = try await DeviceProbe(address: try server.edge())
                    .ask("/restore", Self.package)
                return reply.tokens.count == 1 ? () : nil
            }
        }

        /// Devices ask one question after another until the body is done, and get all they ask for.
        private func withDevices(
            asking server: RunningServer,
            _ body: () async throws -> Void
        ) async throws {
            let closing = Closing()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...2 {
                    group.addTask(name: "device") {
                        while !closing.isDue { try await expectAnswer(of: server) }
                    }
                }
                defer { closing.call() }
                try await body()
                closing.call()
                try await group.waitForAll()
            }
        }

        private func expectAnswer(of server: RunningServer) async throws {
            let reply = try await DeviceProbe(address: try server.edge())
                .ask("/restore", Self.package)
            #expect(reply.status == 200)
            #expect(reply.versions == [Self.package] && reply.tokens.count == 1, "\(reply)")
        }
    }
}

/// Sends notifications until they are taken, and remembers which were.
final class Apple: Sendable {
    static let secret = "a secret of Apple's"
    /// How many notifications each sender has for a round.
    static let share = 20

    private struct State {
        var open: Set<Notice> = []
        var taken: Set<Notice> = []
    }

    /// Of a package of its own, announced or withdrawn.
    fileprivate struct Notice: Hashable, Comparable {
        let id: String
        let isWithdrawal: Bool

        static func < (left: Notice, right: Notice) -> Bool { left.id < right.id }
    }

    private let state = Mutex(State())

    /// Those that were never answered 2xx.
    var open: [String] { state.withLock { $0.open.map(\.id).sorted() } }

    /// Tells of new packages, and of what is open, each by two senders.
    ///
    /// Strikes once so many of them were taken. Returns when all are, or the service is dead.
    func tell(
        _ server: RunningServer,
        _ round: Int,
        strikingAfter count: Int,
        _ strike: () async throws -> Void
    ) async throws {
        let notices = state.withLock { state in
            let new = (1...Self.share).map { number in
                Notice(id: "p-\(round)-\(number)", isWithdrawal: number.isMultiple(of: 2))
            }
            state.open.formUnion(new)
            return state.open.sorted()
        }
        let before = taken
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...2 {
                group.addTask(name: "apple") { [self] in
                    for notice in notices { try await send(notice, to: server) }
                }
            }
            try await eventually("\(count) notifications taken") {
                taken - before >= count ? () : nil
            }
            try await strike()
            try await group.waitForAll()
        }
    }

    private var taken: Int { state.withLock { $0.taken.count } }

    /// Again and again, as Apple does where it is not answered 2xx.
    private func send(_ notice: Notice, to server: RunningServer) async throws {
        try await eventually("the answer to \(notice.id)") {
            do {
                let answer = try await server.hearsFromApple(
                    notice.text,
                    signedWith: Self.secret
                )
                guard answer.status != 200 else { return note(notice) }
                #expect(answer.status == 503, "\(String(decoding: answer.body, as: UTF8.self))")
                return nil
            } catch let error as AdminError where error.problem == nil {
                return server.isAlive ? nil : ()
            }
        }
    }

    private func note(_ notice: Notice) {
        state.withLock { state in
            state.open.remove(notice)
            state.taken.insert(notice)
        }
    }

    /// Fails the test unless what was taken is in the record, and everything there only once.
    func expectKept(in events: [JSONValue]) {
        var told: [Notice: Int] = [:]
        for event in events {
            let data = event["data"]
            switch event["type"]?.string {
            case "PackageAnnounced":
                guard let id = data?["package"]?.string else { continue }
                told[Notice(id: id, isWithdrawal: false), default: 0] += 1
            case "PackagesWithdrawn":
                for id in data?["packages"]?.array?.compactMap(\.string) ?? [] {
                    told[Notice(id: id, isWithdrawal: true), default: 0] += 1
                }
            default: continue
            }
        }
        let taken = state.withLock(\.taken)
        #expect(!taken.isEmpty)
        for notice in taken { #expect(told[notice] == 1, "\(notice)") }
        #expect(told.values.allSatisfy { $0 == 1 }, "\(told.filter { $0.value > 1 })")
    }
}

extension Apple.Notice {
    fileprivate var text: String {
        let what =
            isWithdrawal
            ? #""alternativeDistributionPackageIds":["\#(id)"]"#
            : #""alternativeDistributionPackageId":"\#(id)","#
                + #""alternativeDistributionPackageVersionId":"v-\#(id)","#
                + #""alternativeDistributionPackageVersionNum":"1""#
        let type =
            isWithdrawal
            ? "AppVersionsUnavailable" : "AlternativeDistributionPackageVersionAvailable"
        return #"{"data":{"type":"\#(type)","version":1,"id":"\#(id)","#
            + #""timestamp":"2026-11-20T08:00:00-07:00","attributes":{"#
            + #""marketplaceAppId":"6497405838","appId":"10737747186",\#(what),"#
            + #""eventTimestamp":"2026-11-20T08:00:00-07:00"}}}"#
    }
}

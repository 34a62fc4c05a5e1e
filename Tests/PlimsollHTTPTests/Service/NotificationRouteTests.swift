import Crypto
import Foundation
import HTTPTypes
import Metrics
import PlimsollDomain
import PlimsollJSON
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// What Apple tells a marketplace, as it arrives.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct NotificationRouteTests {
    private let secret = "a secret of Apple's"
    private let former = "the one before it"
    private let path = "/marketplace/notifications"

    private func signature(_ body: [UInt8], _ secret: String) -> HTTPFields {
        let key = SymmetricKey(data: Array(secret.utf8))
        let hex = HMAC<SHA256>.authenticationCode(for: body, using: key).map {
            String(UInt16($0) + 0x100, radix: 16).dropFirst()
        }
        var fields = HTTPFields()
        fields[.init("x-apple-signature") ?? .authorization] = "hmacsha256=\(hex.joined())"
        return fields
    }

    private func body(
        _ type: String,
        _ more: JSONObject = [:],
        id: String = "n-1",
        at time: String = "2026-11-20T08:00:00.000-07:00"
    ) -> [UInt8] {
        var attributes: JSONObject = [
            "marketplaceAppId": "6497405838", "appId": "10737747186",
            "eventTimestamp": .string(time),
        ]
        for member in more.members { attributes[member.key] = member.value }
        let data: JSONObject = [
            "type": .string(type), "version": 1, "id": .string(id),
            "attributes": .object(attributes),
        ]
        return JSONObject(dictionaryLiteral: ("data", .object(data))).canonicalBytes()
    }

    private func announcement(_ version: String = "v-1", number: String = "1") -> [UInt8] {
        body(
            "AlternativeDistributionPackageVersionAvailable",
            [
                "alternativeDistributionPackageId": "p-1",
                "alternativeDistributionPackageVersionId": .string(version),
                "alternativeDistributionPackageVersionNum": .string(number),
            ]
        )
    }

    private func send(
        _ body: [UInt8],
        _ service: ServiceFixture,
        secret: String? = nil
    ) async throws -> ServiceAnswer {
        let headers = signature(body, secret ?? self.secret)
        return try await service.send(.post, path, bytes: body, headers: headers)
    }

    private func expect(
        _ outcome: String,
        _ body: [UInt8],
        _ service: ServiceFixture,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await send(body, service)
        #expect(answer.status == .ok, sourceLocation: sourceLocation)
        #expect(answer.json["outcome"] == .string(outcome), sourceLocation: sourceLocation)
    }

    private func withService(
        listing: Bool = true,
        _ test: @escaping @Sendable (ServiceFixture) async throws -> Void
    ) async throws {
        try await ServiceFixture.with(notificationSecrets: [secret, former]) { service in
            if listing { try await list(service) }
            try await test(service)
        }
    }

    /// Harbour becomes a marketplace that lists itself.
    private func list(_ service: ServiceFixture) async throws {
        let set = SetMarketplace(
            of: slug("harbour"),
            to: sampleMarketplace(),
            seen: nil,
            reason: nil,
            by: .system
        )
        let list = ListApp(
            slug("harbour"),
            in: slug("harbour"),
            as: sampleListing(),
            reason: nil,
            by: .system
        )
        if service.writer.logState.app(slug("harbour"))?.distribution.marketplace == nil {
            _ = try await service.writer.perform(.init(set))
        }
        _ = try await service.writer.perform(.init(list))
    }

    private func packages(_ service: ServiceFixture) throws -> PackageCatalog {
        try #require(service.writer.logState.app(slug("harbour"))).distribution.packages
    }

    @Test func `the example that Apple gives is signed as we sign`() {
        let secrets = NotificationSecrets(["This is my secret"])
        let hex = "7f062172b01cb00b53ca068614674a3d982a34062a0f5d37687d5e3377e54657"
        let body = Array("Hello, World!".utf8)
        #expect(secrets.vouch(for: body, signedAs: "hmacsha256=\(hex)"))
        for field in [
            "", hex, "hmacsha256=", "hmacsha256=\(hex)0", "hmacsha256=\(hex.dropLast())",
            "hmacsha256=\(hex.dropLast())g", "hmacsha1=\(hex)", "hmacsha256=8\(hex.dropFirst())",
        ] {
            #expect(!secrets.vouch(for: body, signedAs: field), "\(field)")
        }
        #expect(!secrets.vouch(for: body + [10], signedAs: "hmacsha256=\(hex)"))
    }

    @Test func `an announcement is recorded once, however often and late it comes`() async throws {
        try await withService { service in
            try await expect("recorded", announcement(), service)
            try await expect("known", announcement(), service)
            try await expect("recorded", announcement("v-2", number: "2"), service)
            try await expect("known", announcement("v-1", number: "1"), service)
            let awaited1 = try packages(service).awaited
            #expect(awaited1.map(\.versionID.text) == ["v-2"])
            let events = try await service.send(.get, "/v1/events?limit=50", as: .auditor)
            let announced = events.json["events"]?.array?.filter {
                $0["type"] == "PackageAnnounced"
            }
            let reason = announced?.first?["reason"]?.string ?? ""
            #expect(reason.hasPrefix("Notification from Apple") && reason.contains("n-1"))
            #expect(announced?.first?["actor"] == "system")
        }
    }

    @Test(arguments: ["AppVersionsUnavailable", "AppVersionUnavailable"])
    func `what was withdrawn before it was announced is not awaited`(type: String) async throws {
        try await withService { service in
            let withdrawal = body(type, ["alternativeDistributionPackageIds": ["p-1", "p-2"]])
            try await expect("recorded", withdrawal, service)
            try await expect("known", withdrawal, service)
            try await expect("known", announcement(), service)
            let awaited2 = try packages(service).awaited
            #expect(awaited2.isEmpty)
        }
    }

    @Test func `an app that went takes all with it that was announced until then`() async throws {
        try await withService { service in
            try await expect("recorded", announcement(), service)
            let gone = body("AppUnavailable", at: "2026-11-20T16:00:00Z")
            try await expect("recorded", gone, service)
            try await expect("known", gone, service)
            let awaited3 = try packages(service).awaited
            #expect(awaited3.isEmpty)
            let late = body(
                "AlternativeDistributionPackageVersionAvailable",
                [
                    "alternativeDistributionPackageId": "p-9",
                    "alternativeDistributionPackageVersionId": "v-9",
                ]
            )
            // It was made an hour before the app went.
            try await expect("recorded", late, service)
            let awaited4 = try packages(service).awaited
            #expect(awaited4.isEmpty)
        }
    }

    @Test func `what nobody lists waits, and is taken up with the listing`() async throws {
        try await withService(listing: false) { service in
            let withdrawal = body(
                "AppVersionsUnavailable",
                ["alternativeDistributionPackageIds": ["p-2"]]
            )
            try await expect("kept", announcement(), service)
            try await expect("known", announcement(), service)
            try await expect("kept", withdrawal, service)
            let kept = try await service.send(.get, "/v1/notifications", as: .viewer)
            #expect(kept.json["waiting"]?.array?.count == 2)
            try await list(service)
            let awaited5 = try packages(service).awaited
            #expect(awaited5.map(\.id.text) == ["p-1"])
            let left = try await service.send(.get, "/v1/notifications", as: .viewer)
            #expect(left.json["waiting"]?.array?.isEmpty == true)
            try await expect("known", announcement(), service)
        }
    }

    // Method: two thousand ids, of an app that is listed, and of one that is listed later.
    @Test(arguments: [true, false])
    func `a long list of packages is taken down in parts`(isListed: Bool) async throws {
        try await withService(listing: isListed) { service in
            let ids = (1...2000).map { "5f2c9a10-1c1d-4f7e-9c55-\(100_000_000_000 + $0)" }
            let key = "alternativeDistributionPackageIds"
            let list = JSONValue.array(ids.map { .string($0) })
            let withdrawal = body("AppVersionsUnavailable", [key: list])
            #expect(withdrawal.count > 2 * AppleNotification.bytesMaximum)
            try await expect(isListed ? "recorded" : "kept", withdrawal, service)
            try await expect("known", withdrawal, service)
            if !isListed { try await self.list(service) }
            let events = try await service.send(.get, "/v1/events?limit=1000", as: .auditor)
            let gone = events.json["events"]?.array?.filter { $0["type"] == "PackagesWithdrawn" }
                .flatMap { $0["data"]?["packages"]?.array?.compactMap(\.string) ?? [] }
            #expect(gone?.sorted() == ids)
            let reviews = try await service.send(.get, "/v1/reviews", as: .viewer)
            #expect(reviews.json["reviews"]?.array?.count == 1)
            try await expect("known", withdrawal, service)
            // A list of something else is no list of packages, however long.
            let other = body("SomethingNew", [key: list])
            let answer = try await send(other, service)
            #expect(answer.status == .contentTooLarge)
        }
    }

    // Goal: the places of what nobody is going to list can be had again, and nothing else goes. Method:
    // notifications about two apps, of which one is let go.
    @Test func `what waits for an app is dropped by an administrator, and stays recorded`()
        async throws
    {
        try await withService { service in
            for app in ["7", "8"] {
                try await expect("kept", body("AppUnavailable", ["appId": .string(app)]), service)
            }
            let drop: JSONValue = [
                "marketplace": "6497405838", "item": "7", "reason": "It was never ours",
            ]
            let path = "/v1/notifications/drop"
            for role in [Role.viewer, .responder, .proposer] {
                let refused = try await service.send(.post, path, as: role, drop)
                #expect(refused.status == .forbidden)
            }
            let dropped = try await service.send(.post, path, as: .admin, drop)
            #expect(dropped.status.kind == .successful, "\(dropped.json)")
            let left = try await service.send(.get, "/v1/notifications", as: .viewer)
            #expect(left.json["waiting"]?.array?.count == 1)
            let events = try await service.send(.get, "/v1/events?limit=1", as: .auditor)
            let last = events.json["events"]?.array?.first
            #expect(last?["type"] == "NotificationsDropped" && last?["data"]?["item"] == "7")
            let again = try await service.send(.post, path, as: .admin, drop)
            #expect(again.status == .conflict, "\(again.json)")
            // What comes again is taken again.
            try await expect("kept", body("AppUnavailable", ["appId": "7"]), service)
        }
    }

    @Test func `a number of an app counts as a number too`() async throws {
        try await withService { service in
            try await expect("kept", body("AppUnavailable", ["appId": 7]), service)
            let kept = try await service.send(.get, "/v1/notifications", as: .viewer)
            #expect(kept.json["waiting"]?.array?.count == 1)
        }
    }

    @Test func `what is not understood is kept as it came`() async throws {
        try await withService { service in
            let strange: [[UInt8]] = [
                body("SomethingNew"), Array("{}".utf8), Array("[]".utf8), Array("not JSON".utf8),
                Array(#"{"data":{"type":"AppUnavailable","version":2,"attributes":{}}}"#.utf8),
                Array(#"{"data":{"type":"AppUnavailable","version":1.5}}"#.utf8),
                body("AppUnavailable", ["appId": true]),
                body("AppVersionsUnavailable", ["alternativeDistributionPackageIds": [7]]),
                body("AppVersionsUnavailable"),
            ]
            for bytes in strange {
                try await expect("kept", bytes, service)
                try await expect("known", bytes, service)
            }
            let list = try await service.send(.get, "/v1/notifications", as: .viewer)
            let unread = list.json["unread"]?.array ?? []
            #expect(
                unread.compactMap { $0["notification"]?.string.map { Array($0.utf8) } } == strange
            )
        }
    }

    @Test func `nobody but Apple is heard`() async throws {
        let notebook = MetricsNotebook()
        try await withMetricsFactory(notebook) {
            try await withService { service in
                let head = try await service.head()
                let answer = try await send(announcement(), service, secret: "another")
                #expect(answer.status == .unauthorized)
                let bare = try await service.send(.post, path, bytes: announcement())
                #expect(bare.status == .unauthorized)
                let after = try await service.head()
                #expect(after == head)
                let former = try await send(announcement(), service, secret: former)
                #expect(former.status == .ok)
            }
        }
        let label = "plimsoll.marketplace.notifications outcome="
        #expect(notebook[label + "refused"] == 2)
        #expect(notebook[label + "recorded"] == 1)
        let requests = "method=POST route=\(path) status="
        for (status, count) in ["401": 2, "200": 1] {
            #expect(notebook["plimsoll.http.requests \(requests)\(status)"] == Double(count))
            let times = notebook.history("plimsoll.http.request.duration \(requests)\(status)")
            #expect(times.count == count && times.allSatisfy { $0 > 0 })
        }
    }

    @Test func `without a secret nothing is taken, and Apple is asked to come again`() async throws
    {
        try await ServiceFixture.with { service in
            let answer = try await send(announcement(), service)
            #expect(answer.status == .serviceUnavailable)
            let detail = answer.json["detail"]?.string ?? ""
            #expect(detail.contains("marketplace.notifications.secret"))
        }
    }

    @Test func `a body that is empty, too long or no text is refused`() async throws {
        try await withService { service in
            let bodies: [([UInt8], HTTPResponse.Status)] = [
                ([], .badRequest), ([0xFF, 0xFE], .badRequest), ([0x7B, 0, 0x7D], .badRequest),
                ([UInt8](repeating: 0x20, count: 30_001), .contentTooLarge),
                ([UInt8](repeating: 0x20, count: 300_000), .contentTooLarge),
            ]
            for (body, status) in bodies {
                let answer = try await send(body, service)
                #expect(answer.status == status, "\(body.count)")
            }
        }
    }

    @Test func `as many wait as there is room for, and then Apple keeps the rest`() async throws {
        try await withService(listing: false) { service in
            for number in 1...KeptNotifications.waitingMaximum {
                let kept = try #require(AppleNotification(announcement("v-\(number)")))
                _ = try await service.writer.perform(.init(TakeNotification(kept)))
            }
            let answer = try await send(announcement("v-0"), service)
            #expect(answer.status == .serviceUnavailable)
        }
    }
}

import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// Marketplaces over REST: what binds to what was seen, what is pointed at, and what is explained.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct MarketplaceRouteTests {
    private static let path = "/v1/apps/harbour/marketplace"
    private static let packages = "/v1/apps/harbour/packages"
    private static let root = "https://market.example.com"

    private var marketplace: JSONObject {
        [
            "item": "6497405838", "domains": ["market.example.com"],
            "restore": .string("\(Self.root)/restore"), "updates": .string("\(Self.root)/updates"),
            "dynamicLicense": .string("\(Self.root)/licenses"),
            "signingCertificate": .string("\(Self.root)/signing.cer"),
            "encryptionCertificate": .string("\(Self.root)/encryption.cer"),
        ]
    }

    private func package(_ number: String, _ more: JSONObject = [:]) -> JSONValue {
        var body: JSONObject = [
            "version": .string(number), "shortVersion": "3.2.0", "bundleVersion": "412",
            "minimumSystems": [["platform": "ios", "version": "17.4"]],
            "address": .string("\(Self.root)/packages/\(number)/"),
            "manifest": .string(String(repeating: "0f", count: 32)),
        ]
        for member in more.members { body[member.key] = member.value }
        return .object(body)
    }

    /// The sample app is a marketplace that lists itself, and has two packages.
    private func prepare(_ service: ServiceFixture) async throws {
        let set = try await service.send(.put, Self.path, as: .admin, .object(marketplace))
        try #require(set.status == .ok, "\(set.json)")
        let listed = try await service.send(
            .put,
            "/v1/apps/harbour/listings/harbour",
            as: .admin,
            ["item": "6497405838", "bundle": "org.example.harbour"]
        )
        try #require(listed.status == .ok, "\(listed.json)")
        for number in ["7", "9"] {
            let known = try await service.send(.post, Self.packages, as: .proposer, package(number))
            try #require(known.status == .ok, "\(known.json)")
        }
    }

    @Test func `a tag is that of the marketplace there is, or of none`() async throws {
        try await ServiceFixture.with { service in
            let body = JSONValue.object(marketplace)
            func set(_ tag: String?) async throws -> ServiceAnswer {
                let headers: HTTPFields = tag.map { [.ifMatch: $0] } ?? [:]
                return try await service.send(.put, Self.path, as: .admin, body, headers: headers)
            }
            for tag in ["\"1\"", "\"x\""] {
                let early = try await set(tag)
                #expect(early.status == .preconditionFailed)
                #expect(early.codes == ["marketplaceDiffers"])
            }
            let first = try await set(nil)
            #expect(first.status == .ok)
            let unseen = try await set(nil)
            #expect(unseen.status == .preconditionRequired)
            #expect(unseen.codes == ["marketplaceUnseen"])
            #expect(try await set(first.tag).codes == ["nothingChanges"])
            let gone = try await service.send(
                .delete,
                Self.path,
                as: .admin,
                headers: [.ifMatch: first.tag]
            )
            #expect(gone.status == .noContent)
        }
    }

    @Test func `what is wrong is pointed at where it was sent`() async throws {
        try await ServiceFixture.with { service in
            var body = marketplace
            body["overrides"] = [
                ["item": "9", "restore": "https://elsewhere.example.org/"], ["item": "2"],
                ["item": "9", "pollingInterval": 30],
            ]
            let set = try await service.send(.put, Self.path, as: .admin, .object(body))
            #expect(set.status == .unprocessableContent)
            #expect(
                Set(set.pointers) == ["/overrides/0/restore", "/overrides/1", "/overrides/2/item"]
            )
            try await prepare(service)
            let twice: JSONObject = [
                "minimumSystems": [
                    ["platform": "ios", "version": "17.4"], ["platform": "iOS", "version": "9"],
                ]
            ]
            let package = package("8", twice)
            let sent = try await service.send(.post, Self.packages, as: .proposer, package)
            #expect(sent.pointers == ["/minimumSystems/1/platform"])
            let change: JSONValue = [
                "title": "Offer", "base": .integer(try await service.head()),
                "operations": [
                    ["op": "setPackages", "platform": "ios", "packages": ["7", "8", "7"]]
                ],
            ]
            let proposed = try await service.send(
                .post,
                "/v1/apps/harbour/changes",
                as: .proposer,
                change
            )
            #expect(
                Set(proposed.pointers) == ["/operations/0/packages/1", "/operations/0/packages/2"]
            )
        }
    }

    // Goal: what is explained is what was, what is, and what would be. Method: a package is offered and
    // taken away, and the same device asks before, between and after.
    @Test func `an explanation follows the state that it is asked for`() async throws {
        try await ServiceFixture.with { service in
            try await prepare(service)
            func explain(_ query: String = "") async throws -> ServiceAnswer {
                try await service.send(
                    .get,
                    "\(Self.path)/explain?item=6497405838&installed=7&os=17.4\(query)",
                    as: .viewer
                )
            }
            let before = try await service.head()
            #expect(try await explain().json["newer"]?.array?.first?["standing"] == "notOffered")
            try await service.apply([
                ["op": "setPackages", "platform": "ios", "packages": ["7", "9"]]
            ])
            let offered = try await service.head()
            let live = try await explain()
            #expect(live.json["updates"]?["version"] == "9", "\(live.json)")
            let withdrawn = try await service.send(
                .post,
                "\(Self.packages)/withdraw",
                as: .responder,
                ["versions": ["9"], "reason": "It leaks"]
            )
            #expect(withdrawn.json["taken"] == ["9"], "\(withdrawn.json)")
            #expect(withdrawn.json["checks"] == [])
            let review = try #require(withdrawn.json["review"]?["position"]?.integer)
            #expect(try await explain().json["newer"]?.array?.first?["standing"] == "withdrawn")
            #expect(try await explain("&event=\(offered)").json["updates"]?["version"] == "9")
            let early = try await explain("&event=\(before)")
            #expect(early.json["restore"]?["reason"] == "notOffered")
            let back = try await explain("&in=rollback:event:\(offered)")
            #expect(back.json["updates"]?["verdict"] == "current", "\(back.json)")
            let closed = try await service.send(
                .post,
                "/v1/reviews/\(review)/close",
                as: .approver,
                ["outcome": "confirmed", "comment": "It leaked."]
            )
            #expect(closed.json["kind"] == "withdrawal" && closed.json["state"] == "closed")
            let shown = try await service.send(.get, "/v1/reviews/\(review)", as: .viewer)
            #expect(shown.json["verdict"]?["outcome"] == "confirmed")
        }
    }

    // Goal: whoever asks what devices were told hears it, wherever the app is listed today. Method: the
    // app is taken out of the marketplace, and comes back under another AppleItemID.
    @Test func `an explanation of before follows the listing of before`() async throws {
        try await ServiceFixture.with { service in
            try await prepare(service)
            try await service.apply([
                ["op": "setPackages", "platform": "ios", "packages": ["7", "9"]]
            ])
            let offered = try await service.head()
            let path = "/v1/apps/harbour/listings/harbour"
            let gone = try await service.send(.delete, path, as: .admin)
            #expect(gone.status == .noContent, "\(gone.json)")
            let unlisted = try await service.head()
            let other: JSONValue = ["item": "5", "bundle": "org.example.harbour"]
            let moved = try await service.send(.put, path, as: .admin, other)
            #expect(moved.status == .ok, "\(moved.json)")
            for (query, app) in [
                ("event=\(offered)", "harbour"), ("in=change:1", "harbour"),
                ("event=\(unlisted)", nil), ("in=live", nil),
            ] as [(String, JSONValue?)] {
                let answer = try await service.send(
                    .get,
                    "\(Self.path)/explain?item=6497405838&installed=7&os=17.4&\(query)",
                    as: .viewer
                )
                #expect(answer.json["app"] == app ?? .null, "\(query): \(answer.json)")
                let version: JSONValue = app == nil ? .null : "9"
                #expect(answer.json["updates"]?["version"] == version, "\(query)")
            }
        }
    }

    @Test(arguments: [
        ("item=1", ["os"]), ("os=17", ["item"]), ("item=0&os=17", ["item"]),
        ("item=1&os=x", ["os"]), ("item=1&os=17&installed=-1", ["installed"]),
        ("item=1&os=17&platform=1", ["platform"]), ("item=1&os=17&x=1", ["x"]),
        ("item=1&os=17&event=1&in=live", ["in"]), ("item=1&os=17&event=999999", ["event"]),
    ])
    func `a question that makes no sense is refused by its parameter`(
        _ query: String,
        _ parameters: [String]
    ) async throws {
        try await ServiceFixture.with { service in
            try await prepare(service)
            let path = "\(Self.path)/explain?\(query)"
            let answer = try await service.send(.get, path, as: .viewer)
            #expect(answer.faultyParameters == parameters, "\(answer.json)")
        }
    }

    // Goal: whoever takes a package down at night is told whom that leaves without any. Method: the
    // minimum demands the only package that is offered.
    @Test func `a withdrawal says where the minimum demands more than what is left`() async throws {
        try await ServiceFixture.with { service in
            try await prepare(service)
            try await service.apply([
                ["op": "setPackages", "platform": "ios", "packages": ["9"]]
            ])
            try await service.apply(Edits.minimum("3.2.0"))
            for (query, version, checks) in [
                ("?dryRun=true", "9", ["minimumNotOffered"]), ("", "7", []),
                ("", "9", ["minimumNotOffered"]), ("", "9", []),
            ] as [(String, String, [JSONValue])] {
                let answer = try await service.send(
                    .post,
                    "\(Self.packages)/withdraw\(query)",
                    as: .responder,
                    ["versions": [.string(version)], "reason": "It leaks"]
                )
                let found = answer.json["checks"]?.array?.compactMap { $0["check"] }
                #expect(found == checks, "\(version): \(answer.json)")
            }
        }
    }
}

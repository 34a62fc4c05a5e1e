import Crypto
import Foundation
import PlimsollAPI
import PlimsollJSON
import Testing

extension ServiceTests {
    /// No command goes round a policy, those of tomorrow included.
    @Suite struct PolicyWalkTests {
        /// What one person may do alone, and in which role; settings change how what was decided is
        /// written, and are of whoever makes policies.
        private let alone = [
            "apps set": "admin", "block": "responder", "emergency": "responder",
            "revert": "responder", "rollback": "responder",
        ]

        // Goal: where two roles have to agree, nobody in one of them changes what phones read with
        // one command.
        // Method: every command that takes a dry run writes; each is run by everybody, on a change
        // of its own, and does its work for those whom it is for.
        @Test func `no single command changes what is live where two have to agree`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let walk = try await Walk(server)
                    for command in try await Program.commands() where command.isWrite {
                        let (role, arguments) = try #require(
                            walk.commands[command.name],
                            "\(command.name) is not here"
                        )
                        for (name, token) in walk.people {
                            let mayAlone = alone[command.name] == name
                            let words = command.words + (try await walk.filled(arguments))
                            let before = try await walk.live()
                            let outcome = try await server.plimsoll(words, as: token)
                            let isLive = try await walk.live() == before
                            #expect(isLive != mayAlone, "\(command.name) by \(name): \(outcome)")
                            #expect(outcome.status != 2, "\(command.name): \(outcome.errors)")
                            if name == role {
                                #expect([0, 6].contains(outcome.status), "\(outcome)")
                            }
                            try await walk.restore()
                        }
                    }
                }
            }
        }

        // Method: what takes no dry run is named here, so that a new command is looked at.
        @Test func `what takes no dry run writes nothing to the record`() async throws {
            let others = try await Program.commands().filter { !$0.isWrite }.map(\.name)
            #expect(
                Set(others) == [
                    "apps list", "apps settings", "backup", "blame", "change show", "changes",
                    "cut", "diff", "diverged", "doctor",
                    "edge", "entry-keys list", "export", "freeze show",
                    "get", "history", "identity list", "keys copy", "keys list", "keys show",
                    "marketplace check", "marketplace developer-token",
                    "marketplace explain", "marketplace forget", "marketplace ingest",
                    "marketplace listing list", "marketplace notifications",
                    "marketplace package list", "marketplace package show",
                    "marketplace serve", "marketplace show", "migrate",
                    "offers list",
                    "policy diff",
                    "policy show", "principal list", "release list",
                    "rebuild", "restore", "reviews list", "reviews show", "serve", "shares show",
                    "simulate",
                    "session list", "token list", "verify document", "verify events",
                    "verify log", "verify snapshot", "verify url",
                    "webhook deliveries", "webhook list", "webhook show", "webhook test",
                    "whoami", "witness",
                ]
            )
        }
    }
}

/// The sample app under a policy of two roles, and somebody in each.
private struct Walk {
    let server: RunningServer
    let people: [(name: String, token: String)]
    private let admin: String
    private let team: Team
    private let proposer: String
    private let earlier: Int64

    init(_ server: RunningServer) async throws {
        self.server = server
        team = try await Team(server)
        try await team.setOffers()
        earlier = try await server.head()
        try await team.setMinimum("3.1.0", "Update to use the app.")
        admin = try server.fixture.adminToken()
        proposer = team.proposer
        people = [
            ("proposer", team.proposer), ("approver", team.approver),
            ("responder", try await server.admit("rita", "responder")), ("admin", admin),
        ]
        try await restore()
    }

    /// What every command is given, and whom it works for; `{…}` is filled in.
    var commands: [String: (role: String, arguments: [String])] {
        let edit = ["--set", "ios.minimumApp.value=77"]
        let because = ["--reason", "Because"]
        let offers = ["--platform", "android", "--title", "Offer it"]
        let root = "https://market.example.com"
        let marketplace = [
            "--item", "6497405838", "--domain", "market.example.com",
            "--restore", "\(root)/restore", "--updates", "\(root)/updates",
            "--dynamic-license", "\(root)/licenses",
            "--signing-certificate", "\(root)/signing.cer",
            "--encryption-certificate", "\(root)/encryption.cer",
        ]
        let package = [
            "--short-version", "3.2.0", "--bundle-version", "412", "--os", "17.4",
            "--digest", String(repeating: "0f", count: 32),
            "--address", "\(root)/packages/", "--app", "harbour",
        ]
        let tomorrow = Date.now.addingTimeInterval(86_400).ISO8601Format()
        let dayAfter = Date.now.addingTimeInterval(2 * 86_400).ISO8601Format()
        return [
            "apps default": ("admin", ["{other}", "--from", "harbour", "--yes"]),
            "apps register": (
                "admin", ["quay", "--platform", "ios", "--language", "en"]
            ),
            "apps set": ("admin", ["harbour", "--add-platform", "macos", "--yes"]),
            "block": ("responder", ["ios", "--below", "66", "--yes"] + because),
            "change apply": ("nobody", ["{change}", "--yes"]),
            "change approve": ("approver", ["{change}", "--yes"]),
            "change comment": ("proposer", ["{change}", "Well."]),
            "change reject": ("approver", ["{change}", "--yes"] + because),
            "change request-changes": ("approver", ["{change}", "--yes"] + because),
            "change revise": ("proposer", ["{change}", "--yes"] + edit),
            "change schedule": ("proposer", ["{change}", "--at", tomorrow, "--yes"]),
            "change override": (
                "nobody", ["{change}", "--check", "minimumLowered", "--yes"] + because
            ),
            "change withdraw": ("proposer", ["{change}", "--yes"]),
            "emergency": (
                "responder",
                edit + ["--title", "Now", "--incident", "INC-1", "--yes"] + because
            ),
            "freeze off": ("nobody", ["--app", "harbour"]),
            "freeze on": ("responder", ["--app", "harbour"] + because),
            "freeze plan": (
                "responder",
                ["--app", "harbour", "--from", tomorrow, "--until", dayAfter] + because
            ),
            "freeze cancel": ("responder", ["{plan}", "--app", "harbour"]),
            "import": ("proposer", ["{example}/availability-ios.json"]),
            "entry-keys add": ("nobody", []),
            "entry-keys retire": ("nobody", [String(repeating: "0", count: 32)]),
            "identity add": ("admin", ["{principal}", "{personKey}"]),
            "identity revoke": ("nobody", ["{principal}", "{personKey}", "--yes"]),
            "keys add": ("admin", ["--app", "harbour"]), "keys activate": ("admin", ["{key}"]),
            "keys retire": ("admin", ["{key}", "--yes", "--app", "harbour"]),
            "keys compromise": ("responder", ["{key}", "--yes"] + because),
            "policy apply": ("admin", ["harbour", "{example}/policy.json", "--yes"]),
            "marketplace drop-notifications": (
                "nobody", ["--marketplace", "6497405838", "--item", "1"] + because
            ),
            "marketplace forget-account": ("nobody", ["--account", "7f3c21", "--yes"]),
            "marketplace listing remove": ("nobody", ["tidewater", "--app", "harbour"]),
            "marketplace listing set": (
                "nobody",
                [
                    "tidewater", "--app", "harbour", "--item", "1", "--bundle", "org.example.app",
                ]
            ),
            "marketplace package announce": (
                "proposer", ["p-1", "--package-version", "{unique}", "--app", "harbour"]
            ),
            "marketplace package ingest": ("proposer", package + ["--version-id", "{number}"]),
            "marketplace package move": (
                "nobody", ["1", "--to", "0", "--title", "Move it", "--app", "harbour"]
            ),
            "marketplace package offer": (
                "proposer", ["{package}", "--title", "Offer it", "--app", "harbour"]
            ),
            "marketplace package stop": (
                "nobody", ["1", "--title", "Stop it", "--app", "harbour"]
            ),
            "marketplace remove": ("nobody", ["harbour", "--yes"]),
            "marketplace set": (
                "admin", ["harbour", "--polling-interval", "{interval}", "--yes"] + marketplace
            ),
            "marketplace withdraw": (
                "responder", ["{package}", "--app", "harbour", "--yes"] + because
            ),
            "offers add": ("proposer", offers + ["--last", "77", "--os", "27"]),
            "offers move": ("proposer", ["1", "--to", "0"] + offers),
            "offers remove": ("proposer", ["1"] + offers),
            "offers replace": ("proposer", ["1", "--last", "78", "--os", "28"] + offers),
            "policy reset": ("admin", ["harbour", "--yes"]),
            "principal erase": ("admin", ["{principal}", "--yes"]),
            "principal resume": ("nobody", ["{principal}"]),
            "principal revoke-role": ("admin", ["{principal}", "viewer", "--yes"]),
            "principal suspend": ("admin", ["{principal}", "--yes"] + because),
            "propose": ("proposer", edit + ["--title", "Raise it"]),
            "release add": ("proposer", ["android", "77", "--os", "26", "--app", "harbour"]),
            "release amend": ("proposer", ["{release}", "--unset", "os"]),
            "release withdraw": ("proposer", ["{release}"]),
            "shares import": (
                "proposer", ["android", "{example}/devices-android.csv", "--app", "harbour"]
            ),
            "shares remove": ("proposer", ["android", "--app", "harbour"] + because),
            "reviews close": ("nobody", ["{review}", "--verdict", "confirmed"]),
            "revert": ("responder", ["{applied}", "--yes"] + because),
            "rollback": (
                "responder",
                ["--to-event", "\(earlier)", "--undoing", "{others}", "--yes"] + because
            ),
            "token create": ("admin", ["--name", "eve", "--role", "approver"]),
            // What is made would end the tokens that the walk goes on with.
            "token renew": ("nobody", ["--dry-run"]),
            "session end": ("nobody", ["{token}", "--dry-run"]),
            "token revoke": ("admin", ["{token}", "--yes"]),
            "webhook create": ("admin", ["https://hooks.example.com/plimsoll"]),
            "webhook disable": ("admin", ["{webhook}"]),
            "webhook enable": ("nobody", ["{webhook}"]),
            "webhook remove": ("admin", ["{webhook}", "--yes"]),
            "webhook replay": ("admin", ["{webhook}", "--since", "1"]),
            "webhook rotate-secret": ("admin", ["{webhook}", "--yes"]),
        ]
    }

    /// The arguments on a change that waits to be decided.
    func filled(_ arguments: [String]) async throws -> [String] {
        var filled: [String] = []
        for argument in arguments {
            switch argument {
            case "{change}":
                let change = try await server.propose(
                    [Edits.setValue("ios", "minimumApp", "88")],
                    as: proposer
                )
                filled.append(try #require(change.json["id"]?.string, "\(change.json)"))
            case "{applied}":
                let words = "Spot \(try await server.head())"
                let edit = Edits.setText("ios", "title", "en", words)
                let change = try await server.propose([edit], as: proposer)
                let applied = try await server.decide("approve", on: change, as: team.approver)
                try #require(applied.status == 200, "\(applied.json)")
                filled.append(try #require(change.json["id"]?.string))
            case "{others}":
                filled.append("\(try await others())")
            case "{unique}": filled.append(UUID().uuidString)
            case "{personKey}": filled.append(personKey())
            case "{number}": filled.append("\(try await server.head())")
            case "{interval}": filled.append("\(24 + (try await server.head()) % 600)")
            case "{package}":
                filled.append(try await knownPackage())
            case "{release}":
                let path = "/v1/apps/harbour/releases/android/78"
                let body: JSONValue = ["os": 26]
                _ = try await server.send(.delete, path, as: admin)
                let reply = try await server.send(.put, path, as: admin, body)
                try #require(reply.status == 200, "\(reply.json)")
                filled += ["android", "78", "--app", "harbour"]
            case "{token}", "{principal}":
                let guest = try await server.admit("guest \(UUID())", "viewer")
                let identity = try await server.send(.get, "/v1/me", as: guest)
                let member = String(argument.dropFirst().dropLast())
                filled.append(try #require(identity.json[member]?.string))
            case "{webhook}":
                let webhook = try await server.send(
                    .post,
                    "/v1/webhooks",
                    as: admin,
                    ["url": "https://hooks.example.com/"]
                )
                filled.append(try #require(webhook.json["id"]?.string, "\(webhook.json)"))
            case "{key}": filled.append(try await addedKey())
            case "{plan}": filled.append(try await plannedFreeze())
            case "{other}": filled.append(try await otherApp())
            case "{review}":
                let reviews = try await server.send(.get, "/v1/reviews", as: admin)
                let open = reviews.json["reviews"]?.array?.first?["position"]?.integer
                filled.append(String(open ?? 1))
            default: filled.append(argument.replacing("{example}", with: example))
            }
        }
        return filled
    }

    /// How many changes of others a rollback takes back.
    private func others() async throws -> Int {
        let reply = try await server.send(
            .post,
            "/v1/apps/harbour/rollback?dryRun=true",
            as: try #require(people.first { $0.name == "responder" }).token,
            ["to": ["event": .integer(earlier)], "reason": "Whose?"]
        )
        // Where somebody went back already there is nothing to take back.
        return reply.json["sideEffects"]?["undoneOfOthers"]?.array?.count ?? 0
    }

    /// The version of a package that nobody offers yet.
    private func knownPackage() async throws -> String {
        let number = "\(try await server.head())"
        let body: JSONValue = [
            "version": .string(number), "shortVersion": "3.2.0", "bundleVersion": "412",
            "minimumSystems": [["platform": "ios", "version": "17.4"]],
            "address": "https://market.example.com/packages/",
            "manifest": .string(String(repeating: "0f", count: 32)),
        ]
        let path = "/v1/apps/harbour/packages"
        let reply = try await server.send(.post, path, as: admin, body)
        try #require(reply.status == 200, "\(reply.json)")
        return number
    }

    /// The event that planned a freeze of an hour, which ends before the next one would begin.
    private func plannedFreeze() async throws -> String {
        let hours = 2 * (try await server.head()) + 72
        let start = Date.now.addingTimeInterval(Double(hours) * 3600)
        let planned = try await server.send(
            .post,
            "/v1/apps/harbour/freeze/plans",
            as: try #require(people.first { $0.name == "responder" }).token,
            [
                "from": .string(start.ISO8601Format()), "reason": "Because.",
                "until": .string(start.addingTimeInterval(3600).ISO8601Format()),
            ]
        )
        return String(try #require(planned.json["plan"]?.integer, "\(planned.json)"))
    }

    private func addedKey() async throws -> String {
        let added = try await server.send(.post, "/v1/apps/harbour/keys", as: admin)
        return try #require(added.json["id"]?.string, "\(added.json)")
    }

    /// Another app than the sample, which is the default one.
    private func otherApp() async throws -> String {
        let ferry: JSONValue = [
            "slug": "ferry", "name": "Ferry", "platforms": ["ios"], "languages": ["en"],
            "fallbackLanguage": "en",
        ]
        _ = try await server.send(.post, "/v1/apps", as: admin, ferry)
        let path = "/v1/apps/harbour/default"
        _ = try await server.send(.post, path, as: admin, ["from": "ferry"])
        return "ferry"
    }

    private var example: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Examples/harbour").standardizedFileURL.path
    }

    /// What phones of the app are told, by the administration.
    func live() async throws -> [JSONValue] {
        var documents: [JSONValue] = []
        for platform in ["ios", "android"] {
            let path = "/v1/apps/harbour/documents/\(platform)"
            let reply = try await server.send(.get, path, as: admin)
            documents.append(try #require(reply.json["document"], "\(reply.json)"))
        }
        // The app is not kept there, until somebody adds it.
        let added = try await server.send(.get, "/v1/apps/harbour/documents/macos", as: admin)
        return documents + [added.json["document"] ?? .null]
    }

    /// Nothing is frozen, and two roles have to agree to a higher minimum.
    func restore() async throws {
        _ = try await server.send(.delete, "/v1/apps/harbour/freeze", as: admin)
        let path = "/v1/apps/harbour/policy"
        let inForce = try await server.send(.get, path, as: admin)
        let policy: JSONValue = [
            "rules": [
                "raiseMinimum": [
                    "approvals": [
                        ["count": 1, "role": "approver"], ["count": 1, "role": "responder"],
                    ]
                ]
            ]
        ]
        let reply = try await server.send(
            .put,
            path,
            as: admin,
            policy,
            headers: [("If-Match", inForce.answer.header("ETag") ?? "")]
        )
        try #require(reply.status == 200 || reply.codes == ["nothingChanges"], "\(reply.json)")
    }
}

/// A public key that nobody else has, as OpenSSH writes it.
private func personKey() -> String {
    let begin = Array("\0\0\0\u{B}ssh-ed25519\0\0\0\u{20}".utf8)
    let key = Curve25519.Signing.PrivateKey().publicKey.rawRepresentation
    return "ssh-ed25519 " + (Data(begin) + key).base64EncodedString()
}

import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// Offers one by one, against a real HTTP server that answers what it is told.
struct OfferCommandTests {
    private typealias Reply = ScriptedService.Reply

    private func replies(_ offers: [Platform: [Offer]]) throws -> [String: [Reply]] {
        let told = PrinceOfVersionsAnswer(
            app: try Samples.slug(),
            position: try #require(Position(rawValue: 57)),
            document: [:],
            offers: offers,
            notes: []
        )
        return [
            "GET /v1/apps": [Reply(AppList(apps: [try Samples.app()]))],
            "GET /v1/apps/harbour/prince-of-versions": [Reply(told)],
            "POST /v1/apps/harbour/changes": [Reply(try Samples.change(.proposed), .created)],
            "GET /v1/tokens": [Reply(TokenList(tokens: []))],
        ]
    }

    private var two: [Platform: [Offer]] {
        [.ios: [Offer(last: OfferVersion(written: "3.4.0", on: .ios)), .nothing(on: .ios)]]
    }

    @Test func `an offer for newer systems is added in front, one for all behind`() async throws {
        try await ScriptedService.with(try replies(two)) { service, url in
            let add = ["offers", "add", "--platform", "ios", "--title", "More"]
            let demanding = [
                "--required", "3.2", "--os", "17", "--notification", "always",
                "--requirement", "region=eu", "--metadata", "hard=true", "--metadata", "step=4",
                "--metadata", "say=Bitte",
            ]
            let run = try await plimsoll(add + demanding, service: url)
            #expect(run.code == 0, "\(run.errors)")
            let sent = try #require(try service.seen.last?.json())
            #expect(sent["base"] == 57)
            #expect(
                sent["operations"]?.array?.first == [
                    "op": "insertOffer", "platform": "ios", "at": 0,
                    "offer": [
                        "requiredVersion": "3.2.0", "lastVersion": .null, "notification": "ALWAYS",
                        "requirements": ["os": "17.0.0", "custom": ["region": "eu"]],
                        "metadata": ["hard": true, "say": "Bitte", "step": 4],
                    ],
                ]
            )
            _ = try await plimsoll(add + ["--last", "3.5"], service: url)
            #expect(try service.seen.last?.json()["operations"]?.array?.first?["at"] == 2)
            _ = try await plimsoll(add + ["--last", "3.5", "--at", "1"], service: url)
            #expect(try service.seen.last?.json()["operations"]?.array?.first?["at"] == 1)
        }
    }

    @Test func `an offer is replaced from a file, moved and removed by its place`() async throws {
        let offer = #"{"required_version": "3", "requirements": {"required_os_version": "17.1"}}"#
        try await ScriptedService.with(try replies(two)) { service, url in
            let edit = ["--platform", "ios", "--title", "Other", "--base", "41"]
            try await withFile("offer.json", Array(offer.utf8)) { path in
                let replace = ["offers", "replace", "1", "--file", path]
                let run = try await plimsoll(replace + edit, service: url)
                #expect(run.code == 0, "\(run.errors)")
            }
            let sent = try service.seen.last?.json()
            #expect(sent?["base"] == 41)
            #expect(service.requests.contains("GET /v1/apps/harbour/prince-of-versions?event=41"))
            #expect(sent?["operations"]?.array?.first?["at"] == 1)
            #expect(sent?["operations"]?.array?.first?["offer"]?["requiredVersion"] == "3.0.0")
            #expect(sent?["operations"]?.array?.first?["offer"]?["requirements"]?["os"] == "17.1.0")
            _ = try await plimsoll(["offers", "move", "1", "--to", "0"] + edit, service: url)
            #expect(
                try service.seen.last?.json()["operations"]?.array?.first == [
                    "op": "moveOffer", "platform": "ios", "from": 1, "to": 0,
                ]
            )
            _ = try await plimsoll(["offers", "remove", "0"] + edit, service: url)
            #expect(
                try service.seen.last?.json()["operations"]?.array?.first == [
                    "op": "removeOffer", "platform": "ios", "at": 0,
                ]
            )
        }
    }

    @Test func `a fraction is refused by its name, and sent as a text where it is quoted`()
        async throws
    {
        try await ScriptedService.with(try replies(two)) { service, url in
            let add = ["offers", "add", "--platform", "ios", "--title", "More", "--last", "3"]
            for fraction in ["1.5", "-0.25", "1e-3"] {
                let run = try await plimsoll(
                    add + ["--metadata", "ratio=\(fraction)"],
                    service: url
                )
                #expect(run.code == 2)
                #expect(run.errors.contains("ratio: \(fraction) is a number that is not whole"))
            }
            #expect(service.requests.isEmpty)
            let texts = ["--metadata", "ratio=\"1.5\"", "--metadata", "at=3.2.0"]
            let run = try await plimsoll(add + texts, service: url)
            #expect(run.code == 0, "\(run.errors)")
            let offer = try service.seen.last?.json()["operations"]?.array?.first?["offer"]
            #expect(offer?["metadata"] == ["ratio": "1.5", "at": "3.2.0"])
        }
    }

    @Test func `the first offer of a platform says what it ends`() async throws {
        try await ScriptedService.with(try replies([:])) { _, url in
            let add = ["offers", "add", "--platform", "android", "--last", "320", "--title", "320"]
            let run = try await plimsoll(add, service: url)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.errors.contains("Android had no offers of its own"))
            let list = try await plimsoll(["offers", "list"], service: url)
            #expect(list.code == 0)
            #expect(try list.json()["offers"] == [:])
            #expect(list.errors.contains("derived"))
        }
    }

    @Test func `offers are listed with their places`() async throws {
        try await ScriptedService.with(try replies(two)) { _, url in
            let list = ["offers", "list", "--platform", "ios", "--format", "table"]
            let lines = try await plimsoll(list, service: url).output.split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines.last?.contains("for everybody: last 0.0.0, told once") == true)
            let none = try await plimsoll(
                ["offers", "list", "--platform", "android"],
                service: url
            )
            #expect(try none.json()["offers"] == [:])
        }
    }

    @Test(arguments: [
        (["add"], "--file"), (["add", "--required", "x"], "requiredVersion"),
        (["add", "--required", "3.2", "--file", "offer.json"], "--file"),
        (["add", "--required", "1.2.3.4"], "requiredVersion"),
        (["add", "--required", "3.2", "--notification", "daily"], "notification"),
        (["add", "--required", "3.2", "--metadata", "hard"], "equals sign"),
        (["add", "--required", "3.2", "--metadata", "a=1", "--metadata", "a=2"], "twice"),
        (["add", "--required", "3.2", "--at", "-1"], "--at"), (["remove", "-1"], "<number>"),
        (["move", "1"], "--to"), (["remove", "first"], "first"), (["replace", "0"], "--file"),
    ])
    func `what is no offer or no place is told of before anything is sent`(
        _ arguments: [String],
        _ words: String
    ) async throws {
        let run = try await plimsoll(
            ["offers"] + arguments + ["--platform", "ios", "--title", "x"],
            service: "http://127.0.0.1:9"
        )
        #expect(run.code == 2)
        #expect(run.errors.contains(words), "\(run.errors)")
    }
}

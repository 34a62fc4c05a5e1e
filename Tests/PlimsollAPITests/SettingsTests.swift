import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

@Suite struct SettingsTests {
    private func settings(
        _ languages: [String] = ["en", "cy"],
        platforms: [Platform] = [.ios],
        name: String = "Harbour",
        profile: DocumentProfile = .minimal
    ) throws -> AppSettings {
        AppSettings(
            name: try Title(validating: name),
            platforms: platforms,
            languages: try languages.map { try #require(LanguageTag($0)) },
            fallbackLanguage: try #require(LanguageTag("en")),
            profile: profile,
            princeClients: .all
        )
    }

    @Test func `settings come back from their JSON as they were`() throws {
        for reason in [nil, try Reason(validating: "Because")] {
            let form = SettingsForm(settings: try settings(), reason: reason)
            #expect(try SettingsForm(body: form.bytes) == form)
            let answer = SettingsAnswer(
                app: try #require(AppSlug("harbour")),
                settings: try settings(),
                position: reason == nil ? nil : Position(17),
                by: PrincipalID(UUID()),
                since: Instant(millisecondsSince1970: 0),
                reason: reason
            )
            #expect(try SettingsAnswer(.object(answer.json)) == answer)
        }
    }

    @Test func `an answer of a newer service is read, and a form with more is not`() throws {
        var json = try settings().json
        json["weather"] = "fair"
        let answer: JSONValue = [
            "app": "harbour", "position": 17, "by": .string(PrincipalID(UUID()).text),
            "since": "2026-11-21T08:00:00.000Z", "reason": nil, "settings": .object(json),
            "more": true,
        ]
        #expect(try SettingsAnswer(answer).settings == settings())
        let problem = #expect(throws: Problem.self) {
            try SettingsForm(body: json.canonicalBytes())
        }
        #expect(problem?.errors.map(\.place) == [.body("/weather")])
    }

    @Test(arguments: [
        "name", "platforms", "languages", "fallbackLanguage", "profile", "princeOfVersions",
    ])
    func `nothing may be left out, lest it be undone in silence`(_ member: String) throws {
        for missing in [nil, JSONValue.null] {
            var json = try settings().json
            json[member] = missing
            let problem = #expect(throws: Problem.self) {
                try SettingsForm(body: json.canonicalBytes())
            }
            #expect(problem?.errors.map(\.place) == [.body(Pointer("/\(member)"))])
        }
    }

    @Test func `each setting that becomes another is told, and it alone`() throws {
        var before = try settings()
        (before.shippedLanguages, before.clients) = (before.languages, [])
        let flips: [String: (inout AppSettings) throws -> Void] = [
            "name": { $0.name = try Title(validating: "Quay") },
            "platforms": { $0.platforms += [.macos] },
            "languages": { $0.languages.removeLast() },
            "fallbackLanguage": { $0.fallbackLanguage = $0.languages[1] },
            "profile": { $0.profile = .complete },
            "princeOfVersions": { $0.princeClients = .modern },
            "shippedLanguages": { $0.shippedLanguages = nil },
            "clients": { $0.clients = nil },
        ]
        #expect(flips.count == Mirror(reflecting: before).children.count)
        for (member, flip) in flips {
            var after = before
            try flip(&after)
            #expect(before.differences(to: after).map(\.member) == [member])
            let (json, other) = (before.json, after.json)
            #expect(json.keys.filter { json[$0] != other[$0] } == [member])
        }
    }

    @Test func `differences are told one by one, in words`() throws {
        let other = try settings(
            ["en", "cy", "de"],
            platforms: [.ios, .macos],
            name: "Quay",
            profile: .complete
        )
        let differences = try settings().differences(to: other)
        #expect(differences.map(\.member) == ["name", "platforms", "languages", "profile"])
        #expect(
            differences.sentence == "name Harbour → Quay; platforms ios → ios, macos; languages"
                + " en, cy → en, cy, de; profile minimal → complete"
        )
        #expect(try settings().differences(to: settings()).isEmpty)
    }
}

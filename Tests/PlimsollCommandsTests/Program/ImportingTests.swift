import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

/// Taking over documents that exist, against a real HTTP server that answers what it is told.
struct ImportingTests {
    private typealias Reply = ScriptedService.Reply

    /// An app that tells every generation, and the releases that are known of it.
    private func replies(_ releases: [Release]) throws -> [String: [Reply]] {
        let usual = try Samples.app()
        var settings = usual.settings
        settings.princeClients = .all
        let app = AppAnswer(
            slug: usual.slug,
            settings: settings,
            isDefault: true,
            position: usual.position,
            sequence: usual.sequence
        )
        let told = PrinceOfVersionsAnswer(
            app: usual.slug,
            position: usual.position,
            document: [:],
            notes: []
        )
        let list = ReleaseList(app: usual.slug, position: usual.position, releases: releases)
        return [
            "GET /v1/apps": [Reply(AppList(apps: [app]))],
            "GET /v1/apps/harbour/documents/ios": [
                Reply(try Samples.answer(try Samples.document(minimumApp: "3.1.0")))
            ],
            "GET /v1/apps/harbour/prince-of-versions": [Reply(told)],
            "GET /v1/apps/harbour/releases": [Reply(list)],
            "POST /v1/apps/harbour/changes": [Reply(try Samples.change(.proposed), .created)],
            "GET /v1/changes/17": [Reply(try Samples.change(.proposed))],
        ]
    }

    // Goal: phones with clients before 4.0 notice nothing of an import. Method: the object that
    // they are told is the very one that thresholds lead to, until a release is known that needs a
    // newer system than some of them have.
    @Test(arguments: [false, true])
    func `an object that thresholds lead to stays where they follow releases`(
        hasReleases: Bool
    ) async throws {
        let document = """
            {"meta": {"required.description.en": "Old"}, "ios": {"minimum_version": "3.0.0",
            "latest_version": {"version": "3.0.0", "notification_type": "ALWAYS"}},
            "ios2": [{"required_version": "3.0.0"}]}
            """
        let release = Release(
            platform: .ios,
            version: dotted("3.0.0"),
            facts: ReleaseFacts(system: dotted("16"))
        )
        let script = try replies(hasReleases ? [release] : [])
        try await ScriptedService.with(script) { service, url in
            try await withFile("prince-of-versions.json", Array(document.utf8)) { path in
                let run = try await plimsoll(["import", path], service: url)
                #expect(run.code == 0, "\(run)")
                let sent = try service.seen.last { $0.method == "POST" }?.json()
                let operations = sent?["operations"]?.array ?? []
                #expect(operations.contains { $0["value"] == "3.0.0" })
                #expect(operations.contains { $0["op"] == "setLegacyOffer" } == hasReleases)
            }
        }
    }
}

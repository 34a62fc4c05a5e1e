import Foundation
import PlimsollTestSupport
import Testing

@testable import PlimsollClient

@Suite struct ClientDecisionTests {
    private func document() throws -> AvailabilityDocument {
        var draft = DocumentDraft()
        func line(_ value: String, _ name: String) -> String {
            """
            {"value":"\(value)","title":{"en":"\(name) title","de":"\(name) Titel"},\
            "description":{"en":"\(name) text"}}
            """
        }
        draft.members = [
            "minimumOSVersion": line("13.5.0", "minimumOS"),
            "recommendedOSVersion": line("14.0", "recommendedOS"),
            "minimumAppVersion": line("3.0.0", "minimumApp"),
            "recommendedAppVersion": line("3.8.0", "recommendedApp"),
        ]
        return try AvailabilityDocument(parsing: draft.body)
    }

    private func device(_ os: String, _ app: String) throws -> Device {
        let (os, app) = (try #require(Version(os)), try #require(Version(app)))
        return try #require(Device(platform: .ios, os: os, app: app))
    }

    @Test func `the texts are those of the line that decided, in the best language`() throws {
        let blocked = try document().decision(
            on: device("14", "2.9"),
            storeVersion: nil,
            languages: ["de-CH"]
        )
        #expect(blocked.verdict == .appTooOld)
        #expect(blocked.title == "minimumApp Titel")
        #expect(blocked.description == "minimumApp text")
        #expect(blocked.language == "en")
        let advised = try document().decision(
            on: device("13.6", "3.0"),
            storeVersion: Version("4"),
            languages: ["en"]
        )
        #expect(advised.verdict == .osRecommended)
        #expect(advised.description == "recommendedOS text")
    }

    @Test func `who lies below nothing is shown nothing`() throws {
        let open = try document().decision(
            on: device("14", "3.8"),
            storeVersion: nil,
            languages: ["en"]
        )
        #expect(open == .open)
        #expect(open.verdict.runs)
    }

    @Test func `the store is asked where it matters`() throws {
        let document = try document()
        #expect(document.asksStore(on: try device("14", "2.9")))
        #expect(document.asksStore(on: try device("14", "3.7")))
        #expect(!document.asksStore(on: try device("14", "3.8")))
    }

    @Test func `the store is left alone where another line decides`() throws {
        let document = try document()
        #expect(!document.asksStore(on: try device("13.4", "2.9")))
        #expect(document.asksStore(on: try device("13.6", "2.9")))
        #expect(!document.asksStore(on: try device("13.6", "3.7")))
    }

    @Test func `on Android the store decides nothing about what is recommended`() throws {
        var draft = DocumentDraft()
        draft.platform = "android"
        draft.members = [
            "minimumAppVersion": #"{"value":300,"title":{},"description":{}}"#,
            "recommendedAppVersion": #"{"value":380,"title":{},"description":{}}"#,
        ]
        let document = try AvailabilityDocument(parsing: draft.body)
        for (code, isAsked) in [(299, true), (300, false), (379, false), (380, false)] {
            let version = try #require(Version(code: code))
            let device = try #require(Device(platform: .android, os: version, app: version))
            #expect(document.asksStore(on: device) == isAsked, "\(code)")
        }
    }

    @Test func `a device of another platform is left alone`() throws {
        let code = try #require(Version(code: 1))
        let android = try #require(Device(platform: .android, os: code, app: code))
        let decision = try document().decision(on: android, storeVersion: nil, languages: [])
        #expect(decision == .open)
    }
}

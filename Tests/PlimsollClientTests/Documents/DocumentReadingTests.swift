import Foundation
import PlimsollTestSupport
import Testing

@testable import PlimsollClient

@Suite struct DocumentReadingTests {
    private func read(
        _ change: (inout DocumentDraft) -> Void = { _ in }
    ) throws(AvailabilityError) -> AvailabilityDocument {
        var draft = DocumentDraft()
        change(&draft)
        return try AvailabilityDocument(parsing: draft.body)
    }

    @Test func `a document says what it was given`() throws {
        let document = try read()
        #expect(document.stamp.app == "harbour")
        #expect(document.stamp.platform == .ios)
        #expect(document.stamp.sequence == 113)
        #expect(document.stamp.expiresAt.timeIntervalSince(document.stamp.issuedAt) == 604_800)
        #expect(document[.minimumApp]?.value == Version("3.2.0"))
        #expect(document[.minimumApp]?.descriptions == ["en": "Too old."])
        #expect(document[.minimumOS] == nil)
    }

    @Test func `members that nobody knows change nothing`() throws {
        let document = try read {
            $0.members["kind"] = #"[{"a":1.5e3},null,true]"#
            $0.members["minimumAppVersion"] =
                #"{"value":"3.2.0","title":{},"description":{"en":"Too old."},"more":{}}"#
        }
        #expect(document[.minimumApp] == (try read()[.minimumApp]))
    }

    @Test func `Android writes whole numbers, and 0 for nothing`() throws {
        let document = try read {
            $0.platform = "android"
            $0.members = [
                "minimumSDKVersion": #"{"value":26,"title":{},"description":{}}"#,
                "minimumAppVersion": #"{"value":0,"title":{},"description":{}}"#,
            ]
        }
        #expect(document[.minimumOS]?.value == Version(code: 26))
        #expect(document[.minimumApp] != nil)
        #expect(document[.minimumApp]?.value == nil)
    }

    @Test func `the short form leaves out what is not set`() throws {
        let document = try read { $0.members = ["recommendedAppVersion": "{}"] }
        #expect(document[.recommendedApp]?.value == nil)
        #expect(document[.recommendedApp]?.titles.isEmpty == true)
    }

    @Test(arguments: [
        ("minimumAppVersion", "null"), ("minimumAppVersion", "[]"),
        ("minimumAppVersion", #"{"value":3}"#), ("minimumAppVersion", #"{"value":"3.x"}"#),
        ("minimumAppVersion", #"{"value":null}"#), ("minimumAppVersion", #"{"title":[]}"#),
        ("minimumOSVersion", #"{"value":"1","description":{"en":null}}"#),
        ("minimumOSVersion", #"{"value":"1","description":{"en":1}}"#),
    ])
    func `a line of another form is refused`(_ key: String, _ value: String) throws {
        #expect(try code { _ = try read { $0.members = [key: value] } } == .documentMalformed)
    }

    @Test(arguments: ["\"26\"", "-1", "1.5", "99999999999", "null"])
    func `a value of another form is refused on Android`(_ value: String) throws {
        let found = try code {
            _ = try read {
                $0.platform = "android"
                $0.members = ["minimumSDKVersion": "{\"value\":\(value)}"]
            }
        }
        #expect(found == .documentMalformed)
    }

    @Test func `a stamp that is missing or of another form is refused`() throws {
        #expect(
            try code { _ = try AvailabilityDocument(parsing: Data("{}".utf8)) }
                == .documentMalformed
        )
        #expect(try code { _ = try read { $0.sequence = 0 } } == .documentMalformed)
        #expect(try code { _ = try read { $0.issuedAt = "now" } } == .documentMalformed)
        #expect(try code { _ = try read { $0.expiresAt = "" } } == .documentMalformed)
        #expect(try code { _ = try read { $0.platform = "jvm" } } == .anotherPlatform)
    }

    @Test func `bytes that are no JSON are refused`() throws {
        let body = DocumentDraft().body
        #expect(
            try code { _ = try AvailabilityDocument(parsing: body.dropLast()) }
                == .documentMalformed
        )
        #expect(
            try code { _ = try AvailabilityDocument(parsing: body + body) } == .documentMalformed
        )
    }
}

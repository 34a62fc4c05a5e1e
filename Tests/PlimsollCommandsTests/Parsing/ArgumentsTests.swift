import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

@testable import PlimsollCommands

struct ArgumentsTests {
    @Test func `wait without a time means the usual one`() {
        #expect(expanded(["rollback", "--wait"]) == ["rollback", "--wait=30s"])
        #expect(expanded(["--wait", "--yes"]) == ["--wait=30s", "--yes"])
    }

    @Test func `wait with a time keeps it`() {
        #expect(expanded(["--wait=5s", "--yes"]) == ["--wait=5s", "--yes"])
        #expect(expanded(["--wait", "5s"]) == ["--wait", "5s"])
        #expect(expanded(["--", "--wait"]) == ["--", "--wait"])
    }

    @Test(arguments: [
        ("500ms", Duration.milliseconds(500)), ("30s", .seconds(30)), ("5m", .seconds(300)),
        ("12h", .seconds(43_200)), ("30d", .seconds(2_592_000)), ("0s", .zero),
    ])
    func `a time is a number and a unit`(_ text: String, _ duration: Duration) {
        #expect(Duration(written: text) == duration)
    }

    @Test(arguments: ["", "30", "s", "-1s", "1.5s", "30 s", "30S", "9999999999s", "٣s", "1w"])
    func `anything else is no time`(_ text: String) {
        #expect(Duration(written: text) == nil)
    }

    @Test func `the sides of a comparison are read as they are written`() throws {
        #expect(try DiffSide(argument: "live") == .state(.live))
        #expect(try DiffSide(argument: "event:42") == .state(.event(Position(42))))
        #expect(try DiffSide(argument: "file:a:b.json") == .file("a:b.json"))
        let instant = try #require(Instant(rfc3339: "2026-11-21T08:00:00Z"))
        #expect(try DiffSide(argument: "time:2026-11-21T08:00:00Z") == .state(.time(instant)))
        for text in [
            "live", "event:42", "file:a:b.json", "time:2026-11-21T08:00:00.000Z", "change:7",
            "snapshot:113", "https://example.com/distribution/availability-ios",
        ] {
            #expect(try DiffSide(argument: text)?.text == text)
        }
    }

    @Test(arguments: [
        "", "event", "event:-1", "event:x", "time:lately", "42", "live:now", "file", "file:",
        "change:0", "change:07", "snapshot:0", "snapshot:x", "ftp://example.com/availability-ios",
    ])
    func `anything else is no side`(_ text: String) {
        #expect((try? DiffSide(argument: text)) == nil)
    }

    @Test func `a role holds where it says, else where the option says, else everywhere`() throws {
        let harbour = try #require(AppSlug("harbour"))
        let named = try #require(GrantArgument(argument: "proposer@harbour"))
        let bare = try #require(GrantArgument(argument: "viewer"))
        #expect(named.grant(in: nil) == RoleGrant(.proposer, in: .app(harbour)))
        #expect(named.grant(in: AppSlug("other")) == RoleGrant(.proposer, in: .app(harbour)))
        #expect(bare.grant(in: harbour) == RoleGrant(.viewer, in: .app(harbour)))
        #expect(bare.grant(in: nil) == RoleGrant(.viewer, in: .all))
    }

    @Test(arguments: ["", "king", "viewer@", "viewer@Harbour", "viewer@a@b", "@harbour"])
    func `anything else is no role`(_ text: String) {
        #expect(GrantArgument(argument: text) == nil)
    }

    @Test func `a platform is found in a file's name`() {
        #expect(platformInName("backup/availability-ios.json") == .ios)
        #expect(platformInName("availability-android") == .android)
        #expect(platformInName("availability-ios-old.json") == nil)
        #expect(platformInName("ios.json") == nil)
        #expect(platformInName("") == nil)
    }

    @Test func `the date of an answer is read`() {
        let instant = Instant(rfc3339: "1994-11-06T08:49:37Z")
        #expect(Instant(httpDate: "Sun, 06 Nov 1994 08:49:37 GMT") == instant)
        for text in [
            "", "Sun, 06 Nov 1994 08:49:37 UTC", "06 Nov 1994", "Sun, 6 Nov 1994 8:49:37 GMT",
        ] {
            #expect(Instant(httpDate: text) == nil)
        }
    }

    @Test func `a proposal in a file may leave out all but the operations`() throws {
        let bytes = Array(
            #"{"operations": [{"op": "clearThreshold", "platform": "ios", "threshold": "minimumOS"}]}"#
                .utf8
        )
        let file = try ChangeFile(parsing: bytes)
        #expect(file.operations == [Operation(.ios, .minimumOS, .clearThreshold)])
        #expect(file.title == nil)
        #expect(file.base == nil)
    }

    @Test(arguments: ["", "[]", "{}", #"{"operations": [], "bass": 4}"#, #"{"operations": [{}]}"#])
    func `a file that is no proposal is refused`(_ text: String) {
        #expect(throws: JSONIssues.self) { try ChangeFile(parsing: Array(text.utf8)) }
    }
}

import Foundation
import Testing

@testable import PlimsollClient

@Suite struct DeviceTests {
    @Test(arguments: ["1", "13.5", "6.00", "3.2.0", "0", "2147483647.0.1", "007"])
    func `a version of one to three numbers is read and kept as written`(_ text: String) {
        #expect(Version(text)?.text == text)
    }

    @Test(arguments: [
        "", " 13", "13 ", "v13.5", "1.", ".1", "1..1", "1.2.3.4", "3.0.0-beta", "-1", "+13",
        "2147483648", "99999999999", "١", "1,2", "1.2\n",
    ])
    func `anything else is no version`(_ text: String) {
        #expect(Version(text) == nil)
    }

    @Test func `a version code is a whole number from 1 to 2147483647`() {
        #expect(Version(code: 1)?.text == "1")
        #expect(Version(code: 2_147_483_647) != nil)
        #expect([0, -1, 2_147_483_648].allSatisfy { Version(code: $0) == nil })
    }

    @Test(arguments: [
        ("6.5.9", "6.5.10"), ("3.9", "3.10"), ("3", "3.0.1"), ("5.00", "6"), ("0", "0.0.1"),
    ])
    func `numbers compare as numbers`(_ older: String, _ newer: String) throws {
        let older = try #require(Version(older))
        let newer = try #require(Version(newer))
        #expect(older.isOlder(than: newer))
        #expect(!newer.isOlder(than: older))
    }

    @Test(arguments: [("6.00", "6"), ("1", "1.0.0"), ("3.02", "3.2")])
    func `missing numbers and leading zeros make no difference`(
        _ one: String,
        _ other: String
    ) throws {
        let one = try #require(Version(one))
        let other = try #require(Version(other))
        #expect(!one.isOlder(than: other) && !other.isOlder(than: one))
    }

    @Test func `a device writes its versions as its platform does`() throws {
        let (dotted, code) = (try #require(Version("3")), try #require(Version(code: 3)))
        #expect(Device(platform: .ios, os: dotted, app: dotted) != nil)
        #expect(Device(platform: .android, os: code, app: code) != nil)
        #expect(Device(platform: .macos, os: code, app: dotted) == nil)
        #expect(Device(platform: .android, os: code, app: dotted) == nil)
        #expect(!dotted.isOlder(than: try #require(Version(code: 4))))
    }

    @Test func `the running app is known by its bundle and the system`() throws {
        let device = try #require(Device.running(.macos, written: "3.2.0"))
        #expect(device.app.text == "3.2.0")
        let system = ProcessInfo.processInfo.operatingSystemVersion
        #expect(device.os.text.hasPrefix("\(system.majorVersion)."))
        #expect(Device.running(.macos, written: nil) == nil)
        #expect(Device.running(.macos, written: "3.2.0-beta") == nil)
    }
}

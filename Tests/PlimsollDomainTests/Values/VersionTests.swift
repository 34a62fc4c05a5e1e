import PlimsollDomain
import PlimsollTestSupport
import Testing

@Suite struct VersionTests {
    @Test(arguments: ["1", "13.5", "6.00", "3.2.0", "0", "2147483647.0.1", "007"])
    func `a version of one to three numbers is read and kept as written`(_ written: String) {
        #expect(AppleVersion(written)?.written == written)
    }

    @Test(arguments: [
        "", " 13", "13 ", "v13.5", "1.", ".1", "1..1", "1.2.3.4", "3.0.0-beta", "-1", "+13",
        "2147483648", "99999999999", "١", "1,2", "1.2\n",
    ])
    func `anything else is no version`(_ written: String) {
        #expect(AppleVersion(written) == nil)
    }

    @Test(arguments: [
        ("6.5.9", "6.5.10"), ("3.9", "3.10"), ("3", "3.0.1"), ("5.00", "6"), ("0", "0.0.1"),
    ])
    func `numbers are compared as numbers`(_ older: String, _ newer: String) throws {
        let older = try #require(AppleVersion(older))
        let newer = try #require(AppleVersion(newer))
        #expect(older.isOlder(than: newer))
        #expect(!newer.isOlder(than: older))
    }

    @Test(arguments: [("6.00", "6"), ("1", "1.0.0"), ("3.02", "3.2")])
    func `missing numbers and leading zeros make no difference`(
        _ one: String,
        _ other: String
    ) throws {
        let one = try #require(AppleVersion(one))
        let other = try #require(AppleVersion(other))
        #expect(!one.isOlder(than: other) && !other.isOlder(than: one))
    }

    @Test func `android versions are whole numbers from 1 to 2147483647`() {
        #expect(AndroidVersion(1)?.number == 1)
        #expect(AndroidVersion(2_147_483_647)?.number == 2_147_483_647)
        #expect(AndroidVersion(0) == nil)
        #expect(AndroidVersion(-1) == nil)
        #expect(AndroidVersion(2_147_483_648) == nil)
    }

    @Test func `only a dotted zero holds nobody back`() {
        #expect(!dotted("0").holdsSomebodyBack)
        #expect(!dotted("0.0.0").holdsSomebodyBack)
        #expect(dotted("0.0.1").holdsSomebodyBack)
        #expect(code(1).holdsSomebodyBack)
    }
}

import PlimsollDomain
import Testing

@Suite struct OfferVersionTests {
    @Test(arguments: ["0.0.0", "3.2.0", "999999999.0.1", "1.2.3-50", "1.2.3-999999999"])
    func `three numbers and a build are read on Apple's platforms`(text: String) throws {
        #expect(try apple(text).description == text)
        #expect(OfferVersion(written: text, on: .macos) == OfferVersion(written: text, on: .ios))
    }

    @Test(arguments: [
        "", "3", "3.2", "3.2.0.1", "03.2.0", "3.2.00", "3.2.x", "v3.2.0", "3..0", "3.2.0-",
        "3.2.0-0",
        "3.2.0-01", "3.2.0-1-2", "3.2.0-beta", "3,2,0", " 3.2.0", "3.2.0 ", "1000000000.0.0",
        "+3.2.0",
        "3.2.-1", "３.2.0",
    ])
    func `anything that clients read differently is refused`(text: String) {
        for platform in [Platform.ios, .macos, .jvm] {
            #expect(OfferVersion(written: text, on: platform) == nil)
        }
    }

    @Test func `there are no builds on the JVM, nor on Android`() {
        #expect(OfferVersion(written: "3.2.0", on: .jvm) != nil)
        #expect(OfferVersion(written: "3.2.0-1", on: .jvm) == nil)
        #expect(OfferVersion(written: "320-1", on: .android) == nil)
    }

    @Test(arguments: ["", "01", "-1", "+1", "3.2", "2147483648", "99999999999", "a", " 1"])
    func `a version code is a whole number that fits`(text: String) {
        #expect(OfferVersion(written: text, on: .android) == nil)
    }

    @Test func `versions are ordered by their numbers, then by the build`() throws {
        let ordered = try ["0.0.0", "1.9.9", "1.10.0", "2.0.0", "2.0.0-2", "2.0.0-10", "2.0.1"].map(
            apple
        )
        #expect(ordered.shuffled().sorted() == ordered)
        #expect(try versionCode(9) < versionCode(10))
        #expect(try apple("0.0.0").isNothing && versionCode(0).isNothing)
        #expect(try !apple("0.0.0-1").isNothing && !versionCode(1).isNothing)
    }

    @Test func `the value of a threshold is written out`() throws {
        let short = try #require(AppleVersion("6.05"))
        #expect(OfferVersion(.dotted(short))?.description == "6.5.0")
        let long = try #require(AppleVersion("1.1000000000"))
        #expect(OfferVersion(.dotted(long)) == nil)
        let code = try #require(AndroidVersion(Int64(Int32.max)))
        #expect(OfferVersion(.integer(code))?.description == "2147483647")
    }
}

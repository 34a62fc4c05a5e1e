import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollMarketplace

/// Requests are read straight from the bytes or through a tree: both must see the same.
@Suite struct StraightRequestTests {
    private static let usual = [
        #"{"apps":[{"appleItemId":"10737747186","appleVersionId":"878123456789"}],"#
            + #""platform":"iOS","osVersion":"17.4"}"#,
        #"{"osVersion":"26","platform":"ios","apps":[{"appleVersionId":"0","appleItemId":"1"},"#
            + #"{"appleItemId":"18446744073709551615","appleVersionId":"18446744073709551615"}]}"#,
        """
         {\r\n\t"apps" : [ { "appleItemId" : "1" , "appleVersionId" : "2" } ,
          {"appleItemId":"1","appleVersionId":"2"} ] , "platform" : "iOS",
          "osVersion" : "9.3.1" }\u{20}
        """,
    ]

    private func straight(_ bytes: [UInt8]) -> DeviceRequest? {
        var reader = StraightRequestReader()
        return reader.request(bytes.span)
    }

    private func compare(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard let request = straight(bytes) else { return }
        #expect(
            (try? DeviceRequest(parsingAny: bytes)) == request,
            "\(String(decoding: bytes, as: UTF8.self))"
        )
    }

    @Test(arguments: usual) func `what devices write is read without a tree`(text: String) throws {
        let request = try #require(straight(Array(text.utf8)))
        #expect(try DeviceRequest(parsingAny: Array(text.utf8)) == request)
    }

    @Test(arguments: usual)
    func `whatever byte is spoilt, gone or twice there, both ways see the same`(text: String) {
        let bytes = Array(text.utf8)
        for index in bytes.indices {
            for byte in Array("\0 \",-0A\\]}[{:.".utf8) + [0x7F, 0xC3, 0xFF] {
                var spoilt = bytes
                spoilt[index] = byte
                compare(spoilt)
                compare(bytes[...index] + [byte] + bytes[(index + 1)...])
            }
            compare(bytes[..<index] + bytes[(index + 1)...])
            compare(bytes[...index] + bytes[index...])
            compare(bytes[..<index])
        }
    }

    // Goal: a part that stands where another is expected, or twice, is seen the same both ways.
    // Method: parts of requests, good and bad, put together at random.
    @Test func `whatever stands in a place, both ways see the same`() {
        let parts = [
            #""apps""#, #""platform""#, #""osVersion""#, #""appleItemId""#, #""appleVersionId""#,
            ":", ":", ",", ",", "{", "}", "[", "]", #""iOS""#, #""ios1""#, #""17.4""#, #""17.""#,
            #""7""#, #""07""#, #""0""#, #""""#, "7", "null", #""18446744073709551616""#, #""a\n""#,
            #"{"appleItemId":"1","appleVersionId":"2"}"#,
            #"[{"appleItemId":"1","appleVersionId":"2"}]"#,
            #""platform":"iOS""#, #""osVersion":"17.4""#,
            #""apps":[{"appleItemId":"1","appleVersionId":"2"}]"#,
        ]
        var generator = SeededGenerator(seed: 17)
        for _ in 0..<100_000 {
            let count = Int.random(in: 1...9, using: &generator)
            let chosen = (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }
            compare("{\(chosen.joined())}".utf8)
            compare("{\(chosen.joined(separator: ","))}".utf8)
        }
    }

    @Test func `more apps than may be asked for, and more bytes, are left to the tree`() {
        let apps = { (count: Int) in
            let list = (1...count).map { #"{"appleItemId":"\#($0)","appleVersionId":"1"}"# }
            return #"{"apps":[\#(list.joined(separator: ","))],"platform":"iOS","osVersion":"1"}"#
        }
        #expect(straight(Array(apps(1000).utf8))?.apps.count == 1000)
        #expect(straight(Array(apps(1001).utf8)) == nil)
        let blanks = String(repeating: " ", count: DeviceRequest.limits.sizeMaximum)
        #expect(straight(Array((apps(1) + blanks).utf8)) == nil)
    }
}

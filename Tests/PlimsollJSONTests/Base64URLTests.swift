import Foundation
import PlimsollJSON
import Testing

/// Bytes in the alphabet for addresses, as others write and read them.
@Suite struct Base64URLTests {
    // Method: Foundation writes the usual alphabet; two letters and the padding are other.
    @Test(arguments: 0...70) func `bytes are written as others do, and read again`(count: Int) {
        for seed in [0, 1, 250] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: ($0 + seed) * 0xEF + seed) }
            let usual = Data(bytes).base64EncodedString()
            let text = usual.replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
            #expect(bytes.base64URL == text)
            #expect([UInt8](base64URL: text) == bytes)
        }
    }

    @Test(arguments: [
        "A", "AAAAA", "AB", "AAB", "AA==", "AA+A", "AA/A", "AA A", "AA\n", "é", "AA.A",
    ])
    func `a text that no bytes are written as is refused`(text: String) {
        #expect([UInt8](base64URL: text) == nil)
    }
}

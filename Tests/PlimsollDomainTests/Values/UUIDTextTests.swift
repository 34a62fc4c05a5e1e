import Foundation
import PlimsollDomain
import Testing

struct UUIDTextTests {
    @Test func `a UUID is written in small letters, as Foundation reads it`() throws {
        let samples = [
            "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
            "01234567-89ab-cdef-9876-543210fedcba",
        ]
        for text in samples {
            #expect(try #require(UUID(uuidString: text)).text == text)
        }
        for uuid in (0..<100).map({ _ in UUID() }) {
            #expect(uuid.text == uuid.uuidString.lowercased())
        }
    }
}

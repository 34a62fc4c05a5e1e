import Foundation
import PlimsollDomain
import PlimsollJSON
import PlimsollStore
import Testing

/// Every shape that was ever written is read for ever: a file here is never changed or removed.
@Suite struct GoldenTests {
    @Test(arguments: EventType.allCases)
    func `every shape of a type has a golden file that is read`(type: EventType) throws {
        for shape in 1...type.shape {
            let entry = try golden(type, shape)
            let expected = try EventSamples.recorded(type, shape: shape)
            #expect(try EventCodec.decode(entry, at: Position(7)) == expected)
        }
    }

    @Test(arguments: EventType.allCases)
    func `the shape of today is written as the golden file has it`(type: EventType) throws {
        let written = try EventCodec.encode(EventSamples.recorded(type))
        #expect(written == (try golden(type, type.shape)))
        #expect(throws: Never.self) { try JSONValue(parsingCanonical: written) }
    }

    @Test func `no golden file is without its type`() throws {
        let known = Set(
            EventType.allCases.flatMap { type in
                (1...type.shape).map { "\(type.rawValue).\($0).json" }
            }
        )
        let found = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(found) == known)
    }

    private func golden(_ type: EventType, _ shape: Int) throws -> [UInt8] {
        let file = folder.appending(path: "\(type.rawValue).\(shape).json")
        return Array(try Data(contentsOf: file))
    }

    private var folder: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Golden")
    }
}

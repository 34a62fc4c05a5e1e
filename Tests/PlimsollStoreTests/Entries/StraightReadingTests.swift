import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

/// Data is read straight from the bytes or through a tree: both must see the same.
///
/// A blank at the beginning of the data changes nothing of what it says and is nothing that the
/// codec writes, so it sends the data through the tree.
@Suite struct StraightReadingTests {
    private static let frequent: Set<EventType> = [
        .thresholdSet, .thresholdCleared, .textSet, .textRemoved, .renewalOrdered, .changeProposed,
        .operationsAdded, .changeRejected, .changeWithdrawn, .changeApplied, .snapshotPublished,
        .publicationFailed,
    ]

    @Test func `a type is read by its bytes, not by what looks alike`() {
        var decoder = EventDecoder()
        let names: [(String, EventType?)] = [("KeyAdded", .keyAdded), ("\u{212A}eyAdded", nil)]
        for (name, type) in names {
            let bytes = Array(name.utf8)
            let found = decoder.type(named: bytes.span)
            #expect(found == type)
        }
    }

    @Test(arguments: frequent)
    func `what makes up a log is read without a tree`(type: EventType) throws {
        // Operations on offers came with shape 2, and are few.
        let recorded = try EventSamples.recorded(type, shape: 1)
        let said = recorded.event.told.data(.stored)
        #expect(try type.declaration.event(said) == recorded.event)
        let data = said.canonicalBytes()
        var decoder = EventDecoder()
        var cursor = EntryCursor()
        #expect(decoder.event(type, data.span, &cursor) == recorded.event)
        #expect(cursor.index == data.count)
    }

    @Test(arguments: EventType.allCases)
    func `whatever byte is spoilt, both ways see the same`(type: EventType) throws {
        let entry = try Entry(type)
        for index in entry.data.indices {
            for byte in Array("\0 \",-0A\\]n}".utf8) + [0xC3, 0xFF] {
                var spoilt = entry.data
                spoilt[index] = byte
                compare(entry, spoilt)
            }
        }
    }

    @Test(arguments: EventType.allCases)
    func `whatever byte is gone, twice there or strange, both ways see the same`(
        type: EventType
    ) throws {
        let entry = try Entry(type)
        let data = entry.data
        for index in data.indices {
            compare(entry, Array(data[..<index] + data[(index + 1)...]))
            compare(entry, Array(data[...index] + data[index...]))
            compare(entry, Array(data[...index] + [0x20] + data[(index + 1)...]))
            compare(entry, Array(data[..<index]))
        }
    }

    @Test(arguments: EventType.allCases)
    func `data of another type is seen the same both ways`(type: EventType) throws {
        let data = try Entry(type).data
        for other in EventType.allCases { compare(try Entry(other), data) }
    }

    @Test(arguments: [
        #"{"platform":"android","threshold":"minimumApp","value":0}"#,
        #"{"platform":"android","threshold":"minimumApp","value":2147483648}"#,
        #"{"platform":"android","threshold":"minimumApp","value":9223372036854775808}"#,
        #"{"platform":"android","threshold":"minimumApp","value":07}"#,
        #"{"platform":"\u0069os","threshold":"minimumApp","value":"3.2.0"}"#,
        #"{"platform":"ios","platform":"ios","threshold":"minimumApp","value":"3.2.0"}"#,
        #"{"platform":"ios","threshold":"minimumApp","value":""}"#,
        #"{"op":"setValue","platform":"ios","threshold":"minimumApp","value":"3.2.0"}"#,
        #"{"threshold":"minimumApp","platform":"ios","value":"3.2.0"}"#,
    ])
    func `values at the edge are seen the same both ways`(data: String) throws {
        compare(try Entry(.thresholdSet), Array(data.utf8))
    }

    /// What was read as the only way to write it needs no second look: whatever is spoilt in an
    /// entry, no other spelling passes for it.
    @Test(arguments: EventType.allCases)
    func `an entry that is read as forced is canonical`(type: EventType) throws {
        let plain = try EventCodec.encode(EventSamples.bare(type))
        let full = try EventCodec.encode(EventSamples.recorded(type))
        var decoder = EventDecoder()
        for entry in [plain, full] {
            for index in entry.indices {
                for byte in Array("\0 \",-0A\\]n}".utf8) + [0xC3, 0xFF] {
                    var spoilt = entry
                    spoilt[index] = byte
                    try expectCanonical(spoilt, if: &decoder)
                }
                try expectCanonical(Array(entry[..<index] + entry[(index + 1)...]), if: &decoder)
                try expectCanonical(Array(entry[...index] + entry[index...]), if: &decoder)
            }
            try expectCanonical(entry, if: &decoder)
        }
    }

    @Test(arguments: frequent)
    func `what makes up a log needs no second look`(type: EventType) throws {
        let entry = try EventCodec.encode(EventSamples.bare(type))
        var decoder = EventDecoder()
        _ = try decoder.decode(entry.span, at: Position(1))
        // Its sample has a text of two lines, which is escaped.
        #expect(decoder.wasForced == (type != .operationsAdded))
    }

    private func expectCanonical(_ entry: [UInt8], if decoder: inout EventDecoder) throws {
        guard (try? decoder.decode(entry.span, at: Position(1))) != nil, decoder.wasForced,
            (try? JSONValue(parsingCanonical: entry)) == nil
        else { return }
        Issue.record("read as forced: \(String(decoding: entry, as: UTF8.self))")
    }

    private func compare(
        _ entry: Entry,
        _ data: [UInt8],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard data.first == UInt8(ascii: "{") else { return }
        let straight = try? EventCodec.decode(entry.with(data), at: Position(7))
        let blank = Array(data[...0] + [0x20] + data[1...])
        let throughTree = try? EventCodec.decode(entry.with(blank), at: Position(7))
        // Not an expectation for each of thousands, which takes longer than reading them.
        guard straight != throughTree else { return }
        Issue.record(
            "seen differently: \(String(decoding: data, as: UTF8.self))",
            sourceLocation: sourceLocation
        )
    }
}

/// An entry in three pieces.
private struct Entry {
    let data: [UInt8]
    private let before: [UInt8]
    private let after: [UInt8]

    init(_ type: EventType) throws {
        let entry = try EventCodec.encode(EventSamples.recorded(type))
        let name = Array(#","data":"#.utf8)
        let place = try #require(entry.indices.first { entry[$0...].starts(with: name) })
        let start = place + name.count
        var cursor = EntryCursor(at: start)
        let end = try cursor.skipValue(entry.span).upperBound
        before = Array(entry[..<start])
        data = Array(entry[start..<end])
        after = Array(entry[end...])
    }

    func with(_ data: [UInt8]) -> [UInt8] { before + data + after }
}

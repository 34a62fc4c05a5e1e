import FoundationEssentials
import PlimsollDomain
import PlimsollJSON
import PlimsollStore
import PlimsollTestSupport
import Testing

@Suite struct EventCodecTests {
    @Test(arguments: EventType.allCases)
    func `an event comes back as it went in, whatever is left out`(type: EventType) throws {
        let bare = try EventSamples.bare(type)
        #expect(try EventCodec.decode(EventCodec.encode(bare), at: bare.position) == bare)
    }

    @Test(arguments: EventType.allCases)
    func `an entry cut anywhere is refused`(type: EventType) throws {
        let entry = try EventCodec.encode(EventSamples.recorded(type))
        for length in entry.indices {
            #expect(throws: EntryError.self) {
                try EventCodec.decode(Array(entry[..<length]), at: Position(7))
            }
        }
    }

    @Test(arguments: EventType.allCases)
    func `whatever byte is spoilt, the entry is refused or is still canonical`(
        type: EventType
    ) throws {
        let entry = try EventCodec.encode(EventSamples.recorded(type))
        for index in entry.indices {
            for byte in [0x00, 0x20, 0x22, 0x30, 0x5C, 0x7D, 0xFF] as [UInt8] {
                var spoilt = entry
                spoilt[index] = byte
                // Reading must not trap; what can still be read was a change inside a value.
                guard
                    let event = try? EventCodec.decode(spoilt, at: Position(7)),
                    let again = try? EventCodec.encode(event)
                else { continue }
                #expect(try EventCodec.decode(again, at: Position(7)) == event)
            }
        }
    }

    @Test func `an unknown type stops the reader`() throws {
        let entry = try replacing(
            #""type":"KeyAdded""#,
            with: #""type":"KeyForged""#,
            in: .keyAdded
        )
        #expect(throws: EntryError.unknownType("KeyForged")) {
            try EventCodec.decode(entry, at: Position(7))
        }
    }

    @Test(arguments: [0, 2, 999])
    func `an unknown shape stops the reader`(shape: Int64) throws {
        let entry = try replacing(#""shape":1"#, with: #""shape":\#(shape)"#, in: .keyAdded)
        #expect(throws: EntryError.unknownShape(.keyAdded, shape)) {
            try EventCodec.decode(entry, at: Position(7))
        }
    }

    @Test func `an event in a stream of another kind stops the reader`() throws {
        let entry = try replacing(
            #""stream":"change/17""#,
            with: #""stream":"access""#,
            in: .changeWithdrawn
        )
        #expect(throws: EntryError.strangeStream(.changeWithdrawn, "access")) {
            try EventCodec.decode(entry, at: Position(7))
        }
    }

    @Test(arguments: [
        (#""value":"3.2.0""#, #""value":"3.2.0.1""#), (#""value":"3.2.0""#, #""value":true"#),
        (#""value":"3.2.0""#, #""value":-1"#), (#""value":"3.2.0""#, #""value":2147483648"#),
    ])
    func `a value that is no version is refused`(before: String, after: String) throws {
        let entry = try replacing(before, with: after, in: .thresholdSet)
        #expect(throws: EntryError.badMember(.thresholdSet, "value")) {
            try EventCodec.decode(entry, at: Position(7))
        }
    }

    @Test func `settings say which clients they are for, as a first registration need not`() throws
    {
        let clients = #""princeOfVersions":"all","#
        let entry = try replacing(clients, with: "", in: .appSettingsChanged)
        #expect(throws: EntryError.badMember(.appSettingsChanged, "princeOfVersions")) {
            try EventCodec.decode(entry, at: Position(7))
        }
        let registered = try replacing(clients, with: "", in: .appRegistered)
        #expect(throws: Never.self) { try EventCodec.decode(registered, at: Position(7)) }
    }

    @Test func `a missing member and a strange one are named`() throws {
        let missing = try replacing(#","value":"3.2.0""#, with: "", in: .thresholdSet)
        #expect(throws: EntryError.badMember(.thresholdSet, "value")) {
            try EventCodec.decode(missing, at: Position(7))
        }
        let strange = try replacing(
            #","value":"3.2.0""#,
            with: #","value":"3.2.0","very":1"#,
            in: .thresholdSet
        )
        #expect(throws: EntryError.strangeMembers(.thresholdSet, ["very"])) {
            try EventCodec.decode(strange, at: Position(7))
        }
    }

    @Test(arguments: [
        (#""revision":3"#, #""revision":03"#), (#""revision":3"#, #""revision":0"#),
        (#""revision":3"#, #""revision":9223372036854775808"#),
        ("T08:00:00.123Z", "T08:00:00.123z"), ("T08:00:00.123Z", "T24:00:00.123Z"),
        ("2026-11-21T", "2026-02-30T"), (#"{"actor""#, #"{ "actor""#),
        (#","command""#, #","commend""#), ("01934cf0", "01934CF0"),
    ])
    func `an envelope in any other form is refused`(before: String, after: String) throws {
        let entry = try replacing(before, with: after, in: .keyActivated)
        #expect(throws: EntryError.self) { try EventCodec.decode(entry, at: Position(7)) }
    }

    @Test func `an entry larger than a bundle can say is refused`() throws {
        let huge = Operation(
            .ios,
            .minimumApp,
            .setText(.title, tag("en"), try text(String(repeating: "🚢", count: 4000)))
        )
        let sample = try EventSamples.bare(.operationsAdded)
        let event = RecordedEvent(
            position: sample.position,
            id: sample.id,
            stream: sample.stream,
            revision: sample.revision,
            recordedAt: sample.recordedAt,
            command: sample.command,
            origin: sample.origin,
            event: .change(.operationsAdded(Array(repeating: huge, count: 5)))
        )
        #expect {
            try EventCodec.encode(event)
        } throws: { error in
            guard case .tooLarge(let bytes) = error as? EntryError else { return false }
            return bytes > 80_000
        }
    }

    @Test func `a decoder that remembers names tells them apart`() throws {
        var decoder = EventDecoder()
        for type in EventType.allCases + EventType.allCases.reversed() {
            for recorded in [try EventSamples.recorded(type), try EventSamples.bare(type)] {
                let entry = try EventCodec.encode(recorded)
                #expect(try decoder.decode(entry.span, at: recorded.position) == recorded)
            }
        }
    }

    private func replacing(
        _ before: String,
        with after: String,
        in type: EventType
    ) throws -> [UInt8] {
        let entry = String(
            decoding: try EventCodec.encode(EventSamples.recorded(type)),
            as: UTF8.self
        )
        try #require(entry.contains(before))
        return Array(entry.replacing(before, with: after).utf8)
    }
}

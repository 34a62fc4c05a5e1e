import FoundationEssentials
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import Testing

/// A state that was written down and read again.
@Suite struct PlainFormTests {
    // Goal: whatever events lead to, a state is read as it was written, and goes on as the other does.
    // Method: one event of every type and shape, one after the other, and the state written at each.
    @Test func `a state of every kind of event goes on as it was`() throws {
        var (folded, kept) = (LogState(), LogState())
        for event in try Self.everything() {
            folded.evolve(event)
            kept.evolve(event)
            kept = try PlainForm.value(of: PlainForm.bytes(of: kept))
            #expect(kept == folded, "after \(event.event.type)")
        }
    }

    @Test func `what is cut off anywhere, or goes on, is no state`() throws {
        let bytes = try PlainForm.bytes(of: Self.folded())
        for count in stride(from: 0, to: bytes.count, by: 7) {
            #expect(throws: (any Error).self) {
                let _: LogState = try PlainForm.value(of: Array(bytes.prefix(count)))
            }
        }
        #expect(throws: (any Error).self) {
            let _: LogState = try PlainForm.value(of: bytes + [0])
        }
    }

    @Test(arguments: SeededGenerator.seeds)
    func `damaged bytes are refused or read, and never the end of the program`(
        seed: UInt64
    ) throws {
        let bytes = try PlainForm.bytes(of: Self.folded())
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            var damaged = bytes
            let place = Int.random(in: damaged.indices, using: &generator)
            damaged[place] = .random(in: 0...255, using: &generator)
            // That it returns is what is asked here.
            _ = try? PlainForm.value(LogState.self, of: damaged)
        }
    }

    @Test func `numbers, texts and what is not there are read as they were written`() throws {
        let values = Values(
            large: [.max, .min, 0, -1, 127, 128],
            unsigned: [.max, 0],
            texts: ["", "déjà vu 🚢", String(repeating: "x", count: 1000)],
            missing: [nil, 7, nil],
            named: [.ios: [:], .android: [nil: ["x"], .first: []]],
            choices: [.two(3, nil), .one, .one, .two(-1, "x"), .one],
            bytes: [0, 255]
        )
        let read: Values = try PlainForm.value(of: PlainForm.bytes(of: values))
        #expect(read == values)
    }

    @Test func `fractions are not written`() {
        #expect(throws: NotPlain.self) { try PlainForm.bytes(of: [1.5]) }
    }

    private static func folded() throws -> LogState {
        try everything().reduce(into: LogState()) { $0.evolve($1) }
    }

    /// One event of every type in each of its shapes, as if they had come one after the other.
    private static func everything() throws -> [RecordedEvent] {
        var revisions: [StreamName: Int64] = [:]
        let samples = try EventType.allCases.flatMap { type in
            try (1...type.shape).map { try EventSamples.sample(type, shape: $0) }
        }
        // Twice, so that what ends something finds it there.
        return (samples + samples).enumerated().map { index, sample in
            revisions[sample.0, default: 0] += 1
            return RecordedEvent(
                position: Position(index + 1),
                id: EventSamples.uuid(1),
                stream: sample.0,
                revision: Revision(Int(revisions[sample.0, default: 0])),
                recordedAt: Instant(millisecondsSince1970: 1_795_000_000_000 + Int64(index)),
                command: CommandID(EventSamples.uuid(UInt64(index / 3))),
                origin: Origin(
                    actor: PrincipalID(EventSamples.uuid(UInt64(index % 5))),
                    authentication: .service,
                    correlation: EventSamples.uuid(5),
                    reason: try? Reason(validating: "Because.")
                ),
                event: sample.1
            )
        }
    }
}

private struct Values: Codable, Equatable {
    let large: [Int64]
    let unsigned: Set<UInt64>
    let texts: [String]
    let missing: [Int?]
    let named: [Platform: [ChangeID?: [String]]]
    let choices: [Choice]
    let bytes: [UInt8]

    enum Choice: Codable, Equatable {
        case one
        case two(Int, String?)
    }
}

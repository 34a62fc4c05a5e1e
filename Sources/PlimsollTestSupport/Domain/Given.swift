import Foundation
import FoundationEssentials
package import PlimsollDomain
package import Testing

/// A state in which something has happened, and what a command does to it.
package struct Given {
    package private(set) var logState = LogState()
    package private(set) var events: [RecordedEvent] = []
    private var revisions: [StreamName: Int] = [:]
    private var now: Instant?

    package init() {}

    /// When the next command is decided.
    package var decidedAt: Instant { now ?? testNow }

    /// What happens from now on is decided and recorded at this time; without it, commands are
    /// decided at ``testNow``, and each event is recorded at a time of its own.
    package func at(_ now: Instant) -> Given {
        var next = self
        next.now = now
        return next
    }

    /// Somebody acts, and all that follows is recorded.
    package func when(_ actor: PrincipalID = .system, _ events: (StreamName, Event)...) -> Given {
        var next = self
        let command = CommandID(UUID())
        for (stream, event) in events { next.record(event, on: stream, by: actor, command) }
        return next
    }

    /// The command is accepted, and its events are recorded.
    package func when(
        _ command: some Command,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Given {
        var next = self
        do throws(Refusal) {
            let id = CommandID(UUID())
            for event in try command.decide(in: logState, at: decidedAt).events {
                next.record(event.event, on: event.stream, by: command.by, id)
            }
        } catch {
            Issue.record("refused: \(error.objections)", sourceLocation: sourceLocation)
        }
        return next
    }

    /// The command is accepted with exactly these events.
    package func when(
        _ command: some Command,
        then events: [Event],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: Never.self, sourceLocation: sourceLocation) {
            let decision = try command.decide(in: logState, at: decidedAt)
            #expect(decision.events.map(\.event) == events, sourceLocation: sourceLocation)
        }
    }

    /// The command is refused, with exactly these objections.
    package func when(
        _ command: some Command,
        refusedBy objections: Objection...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        do throws(Refusal) {
            let decision = try command.decide(in: logState, at: decidedAt)
            Issue.record("accepted: \(decision.events)", sourceLocation: sourceLocation)
        } catch {
            #expect(error.objections == objections, sourceLocation: sourceLocation)
        }
    }

    private mutating func record(
        _ event: Event,
        on stream: StreamName,
        by actor: PrincipalID,
        _ command: CommandID
    ) {
        revisions[stream, default: 0] += 1
        let position = logState.position.advanced(by: 1)
        let recorded = RecordedEvent(
            position: position,
            id: UUID(),
            stream: stream,
            revision: Revision(revisions[stream, default: 0]),
            recordedAt: now ?? Instant(millisecondsSince1970: position.rawValue * 1000),
            command: command,
            origin: Origin(actor: actor, authentication: .service, correlation: UUID()),
            event: event
        )
        logState.evolve(recorded)
        events.append(recorded)
    }
}

/// Random numbers that can be had again: equal seeds give equal histories (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// The seeds of a property test, of which a failing one says which it was.
    ///
    /// It is the one in `PLIMSOLL_SEED`, else some that are always tried and a new one.
    package static let seeds: [UInt64] = {
        let given = ProcessInfo.processInfo.environment["PLIMSOLL_SEED"].flatMap { UInt64($0) }
        return given.map { [$0] } ?? [1, 2, .random(in: 3...(.max))]
    }()
}

extension SeededGenerator {
    /// Edits of one threshold, a value with texts in some languages or all of it cleared, or of a
    /// platform's offers.
    package mutating func edits(numbered number: Int) throws -> [PlimsollDomain.Operation] {
        let platform: Platform = Bool.random(using: &self) ? .ios : .android
        guard let name = platform.thresholds.randomElement(using: &self) else { return [] }
        switch Int.random(in: 0..<10, using: &self) {
        case 0, 1: return [Operation(platform, name, .clearThreshold)]
        case 2, 3: return [Operation(platform, offers: try offers(numbered: number, on: platform))]
        default: break
        }
        let value = platform == .ios ? dotted("\(number).0") : code(Int64(number))
        var edits = [Operation(platform, name, .setValue(value))]
        for part in TextPart.allCases {
            for language in ["en", "de"] where language == "en" || Bool.random(using: &self) {
                let words = try text("\(part) \(number)")
                edits.append(Operation(platform, name, .setText(part, tag(language), words)))
            }
        }
        return edits
    }

    /// A list with an offer for the newest systems and one for everybody else, or none.
    private mutating func offers(numbered number: Int, on platform: Platform) throws -> OfferEdit {
        guard Int.random(in: 0..<4, using: &self) > 0 else { return .set([]) }
        let versions = platform == .ios ? ["\(number).0.0", "17.0.0"] : ["\(number)", "30"]
        let read = versions.compactMap { OfferVersion(written: $0, on: platform) }
        precondition(read.count == 2, "the versions are within the grammar")
        let key = MetadataName("channel")
        let newest = Offer(
            required: read[0],
            requirements: OfferRequirements(system: read[1]),
            metadata: try key.map { [$0: OfferValue(try text("number\n\(number)"))] } ?? [:]
        )
        return .set([newest, .nothing(on: platform)])
    }
}

package import FoundationEssentials
package import PlimsollDomain

/// A run of commands, each decided on the world as those before it will leave it.
struct Draft {
    /// What was decided about a command.
    enum Verdict {
        /// With the world that it leads to, if nobody else appends meanwhile.
        case accepted(LogCommand, World)
        case refused(WriteError)
    }

    private(set) var verdicts: [(job: Job, verdict: Verdict)] = []
    private var world: World
    private let recordedAt: Instant
    private let sizeMaximum: Int
    private var size = 0

    init(on world: World, recordedAt: Instant, sizeMaximum: Int) {
        self.world = world
        self.recordedAt = recordedAt
        self.sizeMaximum = sizeMaximum
    }

    /// The accepted commands, in order.
    var commands: [LogCommand] {
        verdicts.compactMap { _, verdict in
            guard case .accepted(let command, _) = verdict else { return nil }
            return command
        }
    }

    /// Decides commands until the group is full.
    mutating func decide(_ jobs: [Job]) {
        for job in jobs {
            guard size < sizeMaximum else { break }
            verdicts.append((job, decide(job.request)))
        }
    }

    private mutating func decide(_ request: CommandRequest) -> Verdict {
        do throws(WriteError) {
            let (command, world) = try request.draft(in: world, recordedAt: recordedAt)
            self.world = world
            size += command.events.reduce(0) { $0 + $1.entry.count }
            return .accepted(command, world)
        } catch {
            return .refused(error)
        }
    }
}

extension CommandRequest {
    /// Decides the command as of the time that its events are recorded with, and writes them out;
    /// answers the world they lead to.
    func draft(
        in world: World,
        recordedAt: Instant
    ) throws(WriteError) -> (LogCommand, World) {
        guard isAuthentic(in: world, at: recordedAt) else { throw .tokenDead }
        let decision = try decide(in: world, at: recordedAt)
        let reads = isFromOutside ? decision.reads.union([.access]) : decision.reads
        let expectations = reads.map { StreamExpectation($0, at: world.revision(of: $0)) }
        var world = world
        var events: [NewEvent] = []
        let origin = origin
        for event in decision.events {
            let recorded = RecordedEvent(
                position: world.position.advanced(by: 1),
                id: UUID(version7: recordedAt),
                stream: event.stream,
                revision: world.revision(of: event.stream).next,
                recordedAt: recordedAt,
                command: identity.id,
                origin: origin,
                event: event.event
            )
            do throws(EntryError) {
                events.append(try NewEvent(recorded))
            } catch {
                throw .unwritable(error)
            }
            world.evolve(recorded)
        }
        let command = LogCommand(
            identity: identity,
            outcome: outcome(decision),
            recordedAt: recordedAt,
            expectations: expectations.sorted { $0.stream.text < $1.stream.text },
            events: events
        )
        return (command, world)
    }

    private var isFromOutside: Bool { authentication != .service }

    /// A token was looked at when the request began, and a body may take its time to follow: what
    /// counts is that it lives when the command is decided.
    private func isAuthentic(in world: World, at now: Instant) -> Bool {
        guard case .token(let id) = authentication else { return true }
        return world.access.livingToken(id, at: now) != nil
    }

    private func decide(in world: World, at now: Instant) throws(WriteError) -> Decision {
        do throws(Refusal) {
            return try command.decide(in: world, at: now)
        } catch {
            throw .refused(error)
        }
    }
}

extension UUID {
    /// A UUID of version 7 (RFC 9562, 5.7): milliseconds, then random bits.
    package init(version7 instant: Instant) {
        let milliseconds = UInt64(max(0, instant.millisecondsSince1970))
        self.init(
            high: milliseconds << 16 | 0x7000 | UInt64.random(in: 0...0xFFF),
            low: 0x8000_0000_0000_0000 | UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF)
        )
    }
}

extension Instant {
    /// The time as this machine has it.
    package static var now: Instant { Instant(Date.now) }
}

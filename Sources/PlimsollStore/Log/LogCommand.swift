package import PlimsollDomain

/// A decided command on its way into the log: its events, and what they were decided on.
package struct LogCommand: Sendable {
    package let identity: CommandIdentity
    /// What a repetition of the command is answered with.
    package let outcome: [UInt8]
    package let recordedAt: Instant
    /// The streams that were relied on, each with the revision it had after the commands before
    /// this one in the group.
    package let expectations: [StreamExpectation]
    package let events: [NewEvent]

    package init(
        identity: CommandIdentity,
        outcome: [UInt8],
        recordedAt: Instant,
        expectations: [StreamExpectation],
        events: [NewEvent]
    ) {
        self.identity = identity
        self.outcome = outcome
        self.recordedAt = recordedAt
        self.expectations = expectations
        self.events = events
    }
}

/// What a command takes for granted about a stream.
package struct StreamExpectation: Equatable, Sendable {
    package let stream: StreamName
    package let revision: Revision

    package init(_ stream: StreamName, at revision: Revision) {
        self.stream = stream
        self.revision = revision
    }
}

/// An event with the bytes that it will be kept as.
package struct NewEvent: Sendable {
    /// Its position is what it will be if nobody else appends meanwhile.
    package let recorded: RecordedEvent
    package let entry: [UInt8]

    /// Refuses an event that would not be read again as it was written: one in the log would stop
    /// every start there will ever be.
    package init(_ recorded: RecordedEvent) throws(EntryError) {
        self.recorded = recorded
        entry = try EventCodec.encode(recorded)
        guard try EventCodec.decode(entry, at: recorded.position) == recorded else {
            throw .unfaithful(recorded.event.type)
        }
    }
}

import PlimsollDomain

/// Reads entries in the order of the log, none left out.
struct LogReader: Sendable {
    private var last: Position
    private var reader: EntryReader

    init(after position: Position, _ authentication: EntryAuthentication?) {
        last = position
        reader = EntryReader(authentication)
    }

    mutating func read(
        _ entry: Span<UInt8>,
        at position: Position
    ) throws(LogError) -> RecordedEvent {
        let next = last.advanced(by: 1)
        guard position == next else { throw .hole(at: next, found: position) }
        last = position
        return try reader.read(entry, at: position)
    }
}

/// Reads entries one after another, and believes only those that the service wrote.
struct EntryReader: Sendable {
    private var decoder = EventDecoder()
    private let authentication: EntryAuthentication?

    init(_ authentication: EntryAuthentication?) {
        self.authentication = authentication
    }

    mutating func read(
        _ entry: Span<UInt8>,
        at position: Position
    ) throws(LogError) -> RecordedEvent {
        let event: RecordedEvent
        do throws(EntryError) {
            event = try decoder.decode(entry, at: position)
        } catch {
            let isOurs = authentication?.isAuthentic(entry, decoder.authenticator) == true
            throw isOurs ? .newer(position, error) : .unreadable(position, error)
        }
        do throws(EntryKeyFlawFound) {
            try authentication?.check(entry, decoder.authenticator, event)
        } catch {
            throw .unauthentic(position, error)
        }
        return event
    }

    /// Throws unless the service wrote the entry; where nothing is authenticated, it is not looked at.
    mutating func check(_ entry: [UInt8], at position: Position) throws(LogError) {
        guard authentication != nil else { return }
        _ = try read(entry.span, at: position)
    }
}

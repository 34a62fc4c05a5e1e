import PlimsollDomain

extension RecordedEvent {
    func moved(by count: Int) -> RecordedEvent {
        RecordedEvent(
            position: position.advanced(by: count),
            id: id,
            stream: stream,
            revision: revision.next,
            recordedAt: recordedAt,
            command: command,
            origin: origin,
            event: event
        )
    }

    func by(_ origin: Origin) -> RecordedEvent {
        RecordedEvent(
            position: position,
            id: id,
            stream: stream,
            revision: revision,
            recordedAt: recordedAt,
            command: command,
            origin: origin,
            event: event
        )
    }
}

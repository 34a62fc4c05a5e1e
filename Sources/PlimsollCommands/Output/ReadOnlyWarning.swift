import Synchronization

/// That the service's record may not be what was signed, said once.
final class ReadOnlyWarning: Sendable {
    private let isGiven = Mutex(false)

    func give() {
        let isFirst = isGiven.withLock { isGiven in
            defer { isGiven = true }
            return !isGiven
        }
        guard isFirst else { return }
        Channel.standardError.write([
            "Warning: The service reads only, because its record is not what was signed; this may not"
                + " be what phones are served. plimsoll doctor says more."
        ])
    }
}

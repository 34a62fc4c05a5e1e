import PlimsollDomain

/// Writes events one after another into the entries that are appended.
///
/// It reads each of them again, and so remembers names that repeat.
struct EntryWriter: Sendable {
    private var decoder = EventDecoder()
    private let authentication: EntryAuthentication?

    init(_ authentication: EntryAuthentication?) {
        self.authentication = authentication
    }

    /// Without the secret that counts now nothing can be written that anybody would believe.
    mutating func write(
        _ recorded: RecordedEvent,
        after keys: EntryKeys
    ) throws(WriteError) -> NewEvent {
        let key: EntryKey?
        do throws(EntryKeyFlawFound) {
            key = try authentication?.key(after: keys)
        } catch {
            throw .readOnly(Prohibition(.logDamaged, "\(error)"))
        }
        do throws(EntryError) {
            return try NewEvent(recorded, with: key, readAgainBy: &decoder)
        } catch {
            throw .unwritable(error)
        }
    }
}

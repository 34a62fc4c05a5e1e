package import PlimsollDomain
package import PlimsollSystem
import Synchronization

/// Tells the entries that the service wrote from those that somebody else did.
///
/// Which key counts where is in the log itself; whoever reads it in order learns it here for all who
/// read of it in this process.
package final class EntryAuthentication: Sendable {
    private struct State {
        var keys = EntryKeys()
        var secrets: [EntryKeyID: EntryKey] = [:]
        /// What entries are written with before the first key was added.
        var first: EntryKey?
        var obstacle: EntryKeyFlawFound?
    }

    private let folder: EntryKeyFolder?
    private let needsSecrets: Bool
    private let state = Mutex(State())

    /// Takes where the secrets are kept; without them it is only looked at which key is named.
    ///
    /// Where not every secret is needed, an entry whose own is not at hand is only noted.
    package init(keysIn folder: EntryKeyFolder?, needingAll needsSecrets: Bool = true) {
        self.folder = folder
        self.needsSecrets = needsSecrets
    }

    /// Why the first authenticator that could not be computed was not; `nil` where each was.
    package var obstacle: EntryKeyFlawFound? { state.withLock(\.obstacle) }

    /// Which keys count where, as far as the log was read.
    package var keys: EntryKeys { state.withLock(\.keys) }

    /// Finds what entries are to be written with, where the log is known: its own key, or for a log
    /// that has none the first one, which is made where it is missing.
    package func prepare() throws(EntryKeyError) {
        guard let folder else { return }
        if let current = keys.current {
            guard let key = try folder.key(current.key) else {
                throw .missing(current.key, folder.path)
            }
            state.withLock { $0.secrets[key.id] = key }
        } else {
            let key = try folder.first()
            state.withLock { $0.first = key }
        }
    }

    /// Goes on from what the log is known to say of them.
    func begin(with keys: EntryKeys) {
        state.withLock { $0.keys = keys }
    }

    /// Makes a key that is to be added; one that is not kept is good for a dry run.
    func make(isKept: Bool) throws(EntryKeyError) -> EntryKeyID? {
        guard let folder else { return nil }
        guard isKept else { return EntryKey.random().id }
        let key = try folder.make()
        state.withLock { $0.secrets[key.id] = key }
        return key.id
    }

    /// Lets go of a key that was made and never added.
    func discard(_ id: EntryKeyID) {
        guard keys.span(of: id) == nil else { return }
        folder?.discard(id)
    }

    /// The one that was prepared.
    package var first: EntryKeyID? { state.withLock(\.first?.id) }

    /// The key that entries are written with now; `nil` where none is kept.
    func currentKey() throws(EntryKeyFlawFound) -> EntryKey? { try key(after: keys) }

    /// What is written with that is decided on a state.
    func key(after keys: EntryKeys) throws(EntryKeyFlawFound) -> EntryKey? {
        guard let current = keys.current else { return state.withLock(\.first) }
        return try secret(current.key)
    }

    /// Holds an entry against the keys, and takes in what its event says of them.
    ///
    /// The first key stands in the event that adds it; every other is added by the one before.
    func check(
        _ entry: Span<UInt8>,
        _ place: AuthenticatorPlace?,
        _ recorded: RecordedEvent
    ) throws(EntryKeyFlawFound) {
        var keys = keys
        if keys.begin == nil { keys.take(recorded) }
        let id = place.flatMap { EntryKey.id(in: entry, $0) }
        if place != nil, id == nil { throw .malformed }
        if let flaw = keys.flaw(of: id, at: recorded.position) { throw .key(flaw) }
        if let place, let id, let secret = try secretAtHand(id), !secret.isAuthentic(entry, place) {
            throw .code(id)
        }
        note(recorded)
    }

    /// Whether one of the keys made the authenticator, of an entry that cannot be read.
    func isAuthentic(_ entry: Span<UInt8>, _ place: AuthenticatorPlace?) -> Bool {
        guard let place, let id = EntryKey.id(in: entry, place), keys.span(of: id) != nil,
            let secret = try? secret(id)
        else { return false }
        return secret.isAuthentic(entry, place)
    }

    /// Takes in what an event says of the keys that this process has written itself.
    func note(_ recorded: RecordedEvent) {
        guard case .service(.entryKey) = recorded.event else { return }
        state.withLock { $0.keys.take(recorded) }
    }

    /// `nil` where none is kept, or where it is not needed and cannot be had.
    private func secretAtHand(_ id: EntryKeyID) throws(EntryKeyFlawFound) -> EntryKey? {
        guard folder != nil else { return nil }
        do throws(EntryKeyFlawFound) {
            return try secret(id)
        } catch {
            guard !needsSecrets else { throw error }
            state.withLock { $0.obstacle = $0.obstacle ?? error }
            return nil
        }
    }

    private func secret(_ id: EntryKeyID) throws(EntryKeyFlawFound) -> EntryKey {
        if let known = state.withLock({ $0.secrets[id] }) { return known }
        let found: EntryKey?
        do throws(EntryKeyError) {
            found = try folder?.key(id)
        } catch {
            throw .secret(id, error)
        }
        guard let found else { throw .absent(id, folder?.path) }
        state.withLock { $0.secrets[id] = found }
        return found
    }
}

extension EntryKeys {
    fileprivate mutating func take(_ recorded: RecordedEvent) {
        guard case .service(.entryKey(let event)) = recorded.event else { return }
        evolve(event, recorded)
    }
}

/// How an entry is not one that the service wrote, or why that cannot be told.
package enum EntryKeyFlawFound: Error, Equatable, Sendable {
    case key(EntryKeyFlaw)
    /// The authenticator has not the form of one.
    case malformed
    /// It is not what the key makes of the entry.
    case code(EntryKeyID)
    /// The secret is not where secrets are kept.
    case absent(EntryKeyID, Path?)
    case secret(EntryKeyID, EntryKeyError)

    /// Whether it is known that the service did not write it.
    var isForgery: Bool {
        switch self {
        case .key, .malformed, .code: true
        case .absent, .secret: false
        }
    }

    /// Whether a key that was added lately may explain it.
    var mayBeLate: Bool {
        if case .key(.unknown) = self { true } else { false }
    }
}

extension EntryKeyFlawFound: CustomStringConvertible {
    package var description: String {
        switch self {
        case .key(.missing):
            "The service did not write it: it has no authenticator, and at this place of the log"
                + " every entry needs one."
        case .key(.unknown(let id)):
            "The service did not write it: it is authenticated with key \(id), which was never added."
        case .key(.retired(let id)):
            "The service did not write it: it is authenticated with key \(id), which had been"
                + " retired before."
        case .malformed: "The service did not write it: its authenticator has not the form of one."
        case .code(let id):
            "The service did not write it like that: its authenticator is not what key \(id) makes"
                + " of it."
        case .absent(let id, let path):
            "Nobody can tell whether the service wrote it. "
                + (path.map { EntryKeyError.missing(id, $0).description }
                    ?? "Entry key \(id) is not at hand.")
        case .secret(let id, let error):
            "Nobody can tell whether the service wrote it: entry key \(id) is of no use. \(error)"
        }
    }
}

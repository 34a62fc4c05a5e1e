import NIOCore
import PlimsollDomain
import Synchronization

/// The connections that a listener holds, and who has to go when there are too many.
///
/// Everybody comes as a stranger, and stays one until a request brings a living token. Nobody waits
/// for a place: a stranger too many makes room for themselves at the cost of whoever has been there
/// longest, from the address that holds most. So strangers, however many, take no place of those
/// who have a token, and whoever has one is known within the time of one request.
package final class Places: Sendable {
    /// How many connections there may be.
    package struct Limits: Sendable {
        package var strangers = 256
        package var known = 384
        /// Of one principal; more than may be answered at the same time.
        package var knownOfOne = 256

        package init(strangers: Int = 256, known: Int = 384, knownOfOne: Int = 256) {
            self.strangers = strangers
            self.known = known
            self.knownOfOne = knownOfOne
        }

        /// Connections that were told to go are there for a moment longer.
        package var connections: Int { strangers + known + 64 }
    }

    fileprivate struct Guest {
        let channel: any Channel
        let address: String
        let number: UInt64
        var principal: PrincipalID?
        var isAnswered = false
    }

    fileprivate struct State {
        var strangers: [ObjectIdentifier: Guest] = [:]
        /// How many strangers there are of an address.
        var crowds: [String: Int] = [:]
        var known: [ObjectIdentifier: Guest] = [:]
        var next: UInt64 = 0
    }

    private let limits: Limits
    private let state = Mutex(State())

    package init(_ limits: Limits) { self.limits = limits }

    package var strangerCount: Int { state.withLock { $0.strangers.count } }
    package var knownCount: Int { state.withLock { $0.known.count } }

    func enter(_ channel: any Channel) {
        let address = channel.remoteAddress?.ipAddress ?? ""
        let evicted = state.withLock { state -> (any Channel)? in
            state.next += 1
            let guest = Guest(channel: channel, address: address, number: state.next)
            state.strangers[ObjectIdentifier(channel)] = guest
            state.crowds[address, default: 0] += 1
            guard state.strangers.count > limits.strangers else { return nil }
            return state.oldestOfTheLargestCrowd()
        }
        evicted?.close(promise: nil)
    }

    func leave(_ channel: any Channel) {
        state.withLock { state in
            if state.removeStranger(ObjectIdentifier(channel)) == nil {
                state.known[ObjectIdentifier(channel)] = nil
            }
        }
    }

    /// Somebody sent a living token.
    func know(_ channel: any Channel, as principal: PrincipalID) {
        let id = ObjectIdentifier(channel)
        let evicted = state.withLock { state -> (any Channel)? in
            guard var guest = state.known[id] ?? state.removeStranger(id) else { return nil }
            guest.principal = principal
            guest.isAnswered = true
            state.known[id] = guest
            let own = state.known.values.filter { $0.principal == principal }
            if own.count > limits.knownOfOne { return state.evict(from: own, or: guest) }
            guard state.known.count > limits.known else { return nil }
            return state.evict(from: Array(state.known.values), or: guest)
        }
        evicted?.close(promise: nil)
    }

    /// A request of somebody known was answered; until the next one they are idle.
    func rest(_ channel: any Channel) {
        state.withLock { $0.known[ObjectIdentifier(channel)]?.isAnswered = false }
    }
}

extension Places.State {
    fileprivate mutating func removeStranger(_ id: ObjectIdentifier) -> Places.Guest? {
        guard let guest = strangers.removeValue(forKey: id) else { return nil }
        let left = (crowds[guest.address] ?? 1) - 1
        crowds[guest.address] = left > 0 ? left : nil
        return guest
    }

    fileprivate mutating func oldestOfTheLargestCrowd() -> (any Channel)? {
        let most = crowds.values.max()
        let oldest = strangers.values.filter { crowds[$0.address] == most }
            .min { $0.number < $1.number }
        guard let oldest else { return nil }
        _ = removeStranger(ObjectIdentifier(oldest.channel))
        return oldest.channel
    }

    /// The oldest that is idle has to go, or else the one who came.
    fileprivate mutating func evict(
        from guests: [Places.Guest],
        or last: Places.Guest
    ) -> any Channel {
        let idle = guests.filter { !$0.isAnswered }.min { $0.number < $1.number }
        let evicted = (idle ?? last).channel
        known[ObjectIdentifier(evicted)] = nil
        return evicted
    }
}

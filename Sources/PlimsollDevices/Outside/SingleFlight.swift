import Synchronization

/// Lets one of several who want the same at once get it, and the others have what it gets.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Outcome, Never>

    /// What becomes of somebody who waits.
    private enum Outcome: Sendable {
        case landed(Value)
        /// It had come to its end before the waiter was heard of.
        case missed
        case crowded
    }

    private enum Turn { case first, later, crowded }

    private let flightsMaximum: Int
    private let waitersMaximum: Int
    private let flights = Mutex<[Key: [Waiter]]>([:])

    init(flightsMaximum: Int = 64, waitersMaximum: Int = 64) {
        self.flightsMaximum = flightsMaximum
        self.waitersMaximum = waitersMaximum
    }

    /// `nil` where too many are under way already.
    ///
    /// `get` MUST come to an end by itself.
    func value(of key: Key, _ get: () async -> Value) async -> Value? {
        while true {
            switch begin(key) {
            case .crowded: return nil
            case .first:
                let value = await get()
                let waiters = flights.withLock { $0.removeValue(forKey: key) ?? [] }
                for waiter in waiters { waiter.resume(returning: .landed(value)) }
                return value
            case .later:
                switch await outcome(of: key) {
                case .landed(let value): return value
                case .crowded: return nil
                case .missed: continue
                }
            }
        }
    }

    private func begin(_ key: Key) -> Turn {
        flights.withLock { flights in
            if flights[key] != nil { return .later }
            guard flights.count < flightsMaximum else { return .crowded }
            flights[key] = []
            return .first
        }
    }

    private func outcome(of key: Key) async -> Outcome {
        await withCheckedContinuation { waiter in
            let refusal: Outcome? = flights.withLock { flights in
                guard let waiters = flights[key] else { return .missed }
                guard waiters.count < waitersMaximum else { return .crowded }
                flights[key]?.append(waiter)
                return nil
            }
            if let refusal { waiter.resume(returning: refusal) }
        }
    }
}

/// What was answered lately, so much and no more of it.
///
/// Two generations, of which the older goes when the younger is full: nothing is ever searched for
/// what has to go.
struct RecentAnswers<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let generationMaximum: Int
    private var younger: [Key: Value] = [:]
    private var older: [Key: Value] = [:]

    init(maximum: Int) {
        generationMaximum = max(maximum / 2, 1)
    }

    subscript(key: Key) -> Value? { younger[key] ?? older[key] }

    mutating func keep(_ value: Value, for key: Key) {
        if younger.count >= generationMaximum, younger[key] == nil {
            older = younger
            younger = [:]
        }
        younger[key] = value
    }
}

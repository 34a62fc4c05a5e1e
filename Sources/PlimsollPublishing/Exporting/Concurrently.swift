import Dispatch
import Synchronization

/// The results of a short piece of work for each place, in order, made on all processors at once.
func concurrently<Result: Sendable>(
    _ places: Range<Int>,
    _ work: @Sendable (Int) -> Result
) -> [Result] {
    let results = Mutex([Result?](repeating: nil, count: places.count))
    DispatchQueue.concurrentPerform(iterations: places.count) { number in
        let result = work(places.lowerBound + number)
        results.withLock { $0[number] = result }
    }
    return results.withLock { $0.compactMap(\.self) }
}

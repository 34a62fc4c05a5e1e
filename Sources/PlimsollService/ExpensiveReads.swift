/// Works out answers that take long, one after the other.
///
/// However many ask, they keep one processor busy at most, and whoever has to act at once finds
/// another.
package actor ExpensiveReads {
    package init() {}

    /// The answer; whoever asks waits for those who asked before.
    package func answer<Value: Sendable>(
        _ work: @Sendable () throws -> Value
    ) rethrows -> Value {
        try work()
    }
}

import Configuration

/// When an instance keeps what the log came to, and whether it begins with that.
package struct KeepingSettings: Equatable, Sendable {
    /// Whether the log is folded from its start, whatever was kept.
    package let startsFromScratch: Bool
    /// After how many events it is kept again.
    package let interval: Int

    /// Folding so many takes a fraction of a second.
    package static let intervalUsual = 50_000
    private static let intervalsAllowed = 1...1_000_000_000

    /// ## Configuration keys
    /// - `log.fromScratch` (bool, default `false`): whether the whole log is folded at the start.
    /// - `log.keepEvery` (int, default 50000): how many events may come before it is kept again what
    ///   the log came to.
    package init(config: ConfigReader) throws(ConfigurationError) {
        startsFromScratch = config.bool(forKey: "log.fromScratch", default: false)
        let given = try config.number("log.keepEvery", of: Self.intervalsAllowed)
        interval = given ?? Self.intervalUsual
    }
}

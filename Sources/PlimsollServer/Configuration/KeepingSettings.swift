import Configuration

/// When an instance keeps what the log came to, and whether it begins with that.
package struct KeepingSettings: Equatable, Sendable {
    /// Whether the log is folded from its start, whatever was kept.
    package let startsFromScratch: Bool
    /// After how many events it is kept again.
    package let interval: Int

    /// Folding so many takes a fraction of a second.
    private static let intervalUsual = 50_000

    /// Those of an instance that was told nothing.
    package init() {
        (startsFromScratch, interval) = (false, Self.intervalUsual)
    }

    /// Takes the interval where one was given.
    init(_ config: ConfigReader, _ interval: Int?) {
        startsFromScratch = config.bool(forKey: "log.fromScratch", default: false)
        self.interval = interval ?? Self.intervalUsual
    }
}

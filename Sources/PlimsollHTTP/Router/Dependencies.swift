package import PlimsollService

/// What the administration needs to do its work.
package struct Dependencies: Sendable {
    package let useCases: UseCases
    /// What `/metrics` shows; the same that the process was told to measure with.
    package let metrics: MetricsRegistry

    /// The verifier key of the transparency log, as text; `nil` before it is published.
    package let logKey: @Sendable () async -> String?

    /// Whether the first administrator was let in, and everything else was done that a start does.
    package let isOpened: @Sendable () -> Bool

    /// What each principal may still ask for.
    package let allowances: Allowances

    package init(
        useCases: UseCases,
        metrics: MetricsRegistry = MetricsRegistry(),
        logKey: @escaping @Sendable () async -> String? = { nil },
        isOpened: @escaping @Sendable () -> Bool = { true },
        limits: Allowances.Limits = Allowances.Limits()
    ) {
        allowances = Allowances(limits)
        self.isOpened = isOpened
        self.logKey = logKey
        self.useCases = useCases
        self.metrics = metrics
    }
}

package import PlimsollUseCases

/// What the administration needs to do its work.
package struct Dependencies: Sendable {
    package let useCases: UseCases
    /// What `/metrics` shows; the same that the process was told to measure with.
    package let metrics: MetricsRegistry

    package init(useCases: UseCases, metrics: MetricsRegistry = MetricsRegistry()) {
        self.useCases = useCases
        self.metrics = metrics
    }
}

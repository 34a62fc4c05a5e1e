package import PlimsollDomain

/// Somewhere that published documents go to, besides the export directory.
///
/// A sink is told after `current` was switched, and again after a start or a failure: taking the
/// same snapshot twice MUST be harmless.
package protocol Sink: Sendable {
    /// What it is called in the record, such as `edge`.
    var name: String { get }

    /// Takes over what is current now. The error's phrase is the same for the same failure.
    func take(_ app: AppSlug) async throws(SinkRefusal)
}

/// Why a sink did not take a snapshot.
package struct SinkRefusal: Error, Hashable, Sendable {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}

/// A part of this process that reads the export directory, told by a closure.
package struct InProcessSink: Sink {
    package let name: String
    private let tell: @Sendable (AppSlug) async -> Void

    package init(_ name: String, _ tell: @escaping @Sendable (AppSlug) async -> Void) {
        self.name = name
        self.tell = tell
    }

    package func take(_ app: AppSlug) async throws(SinkRefusal) {
        await tell(app)
    }
}

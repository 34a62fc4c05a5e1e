/// Somewhere that published documents go to, besides the export directory.
///
/// A sink is told after `current` was switched, and again after a start or a failure: taking the
/// same snapshot twice MUST be harmless. Nobody waits for it, so it may take its time, but it
/// MUST come to an end by itself.
package protocol Sink: Sendable {
    /// What it is called in the record and in metrics, such as `store s3://config/live`; no two
    /// sinks of one exporter have the same name.
    var name: String { get }

    /// Whether it is told again each time a sink before it has taken over.
    ///
    /// A cache that was emptied before its origin had the new bytes fills itself with the old.
    var followsOthers: Bool { get }

    /// Takes over what is current now. The error's phrase is the same for the same failure.
    func take(_ publication: Publication) async throws(SinkRefusal)
}

/// Why a sink did not take a snapshot.
package struct SinkRefusal: Error, Hashable, Sendable {
    package let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}

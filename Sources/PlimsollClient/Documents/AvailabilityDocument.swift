/// A published document: which versions may run, and what to tell the others.
///
/// Only ``DocumentVerifier`` makes one, so whoever holds one holds what the service signed.
public struct AvailabilityDocument: Hashable, Sendable {
    /// Where it belongs and how old it is.
    public let stamp: DocumentStamp
    private let thresholds: [ThresholdName: Threshold]
    /// Everything that the document says, known or not.
    package let members: JSONObject

    init(stamp: DocumentStamp, thresholds: [ThresholdName: Threshold], members: JSONObject) {
        self.stamp = stamp
        self.thresholds = thresholds
        self.members = members
    }

    /// One of its lines; `nil` where the document has none of this name.
    public subscript(name: ThresholdName) -> Threshold? { thresholds[name] }
}

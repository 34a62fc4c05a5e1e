public import Foundation

/// What a client knows at a moment.
public struct AvailabilityState: Hashable, Sendable {
    /// Whether a document is as new as it should be.
    public enum Freshness: Hashable, Sendable {
        /// There is no document.
        case unknown
        /// The document is good until then.
        case fresh(until: Date)
        /// A newer document should have come by then; the last one goes on to count.
        case stale(since: Date)
    }

    /// What to do on this device; ``Decision/open`` where there is no document.
    public let decision: Decision
    /// What it rests on; `nil` where nothing was ever fetched, and nothing lies in the folder.
    public let document: AvailabilityDocument?
    /// Whether the document has expired, which never changes the decision.
    public let freshness: Freshness
    /// When the service last said what counts; `nil` where it has not since the client was made.
    public let checkedAt: Date?
    /// Why the last attempt to refresh failed; `nil` where it did not.
    public let refreshError: AvailabilityError?
    /// Why the document is not in the folder; `nil` where it is, or where there is no folder.
    public let keepingError: AvailabilityError?

    /// Whether somebody who was shown the one state would see anything else in the other.
    func differs(from other: AvailabilityState) -> Bool {
        decision != other.decision || document?.stamp != other.document?.stamp
            || freshness != other.freshness || refreshError?.code != other.refreshError?.code
            || keepingError?.code != other.keepingError?.code
    }
}

import PlimsollDomain
import PlimsollSystem

/// What a lane is to bring to phones, as of one page of the order book.
struct Offer: Sendable {
    let edition: Edition
    /// What the log says was published last.
    let published: PublicationRecord?
    /// Why the public keys are not published, if they are not; then nothing they sign may be.
    let keysFailure: FileError?
    /// Rises when what lies on the disk is to be looked at again: after the lock was taken, and
    /// at each patrol.
    let round: Int
    /// Rises with each time the lock was taken: whoever had it meanwhile told the sinks.
    let term: Int
}

/// Why some bytes are no proof.
package enum LogProofError: Error, Equatable, Sendable {
    case header
    case extra
    case index
    /// No blank line comes, or too late.
    case pathNotEnded
    /// Counted from 1.
    case pathLine(Int)
    case checkpoint(CheckpointError)
}

extension LogProofError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .header: "The first line is not c2sp.org/tlog-proof@v1."
        case .extra: "The text behind the word extra is not padded base64."
        case .index: "No line has the word index, a space, and a number without leading zeros."
        case .pathNotEnded:
            "Behind at most \(LogProof.pathLinesMaximum) hashes a blank line is needed."
        case .pathLine(let number): "Hash \(number) is not 32 bytes in padded base64."
        case .checkpoint(let error): error.description
        }
    }
}

extension LogProofRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .checkpoint(let refusal): refusal.description
        case .path: "The proof does not lead from the entry to the root of the checkpoint."
        }
    }
}

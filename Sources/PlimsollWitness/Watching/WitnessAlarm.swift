package import PlimsollLog

/// What a log has done that no log may do; where it signed that, the proof lies in a file.
package enum WitnessAlarm: Error, Equatable, Sendable {
    /// What is shown as its checkpoint is none that its key has signed.
    case notSigned(String)
    /// It signs fewer events than it had.
    case shrunk(to: MerkleRoot, from: MerkleRoot, evidence: String)
    /// It has signed two histories of one length.
    case forked(MerkleRoot, from: MerkleRoot, evidence: String)
    /// It has grown, and its beginning is not what it was.
    case rewritten(MerkleRoot, from: MerkleRoot, evidence: String)
    /// Its tiles do not lead to what it signed.
    case unproven(MerkleRoot, from: MerkleRoot, evidence: String)
}

extension WitnessAlarm: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notSigned(let reason): "The log shows a checkpoint that it has not signed: \(reason)"
        case .shrunk(let root, let last, let evidence):
            "The log has signed \(last.size) events before, and now signs \(root.size): events were"
                + " taken back.\(Self.advice(evidence))"
        case .forked(let root, _, let evidence):
            "The log has signed two different histories of \(root.size) events."
                + Self.advice(evidence)
        case .rewritten(let root, let last, let evidence):
            "The log has signed \(root.size) events, and the first \(last.size) are not those that"
                + " it signed before: its history was rewritten.\(Self.advice(evidence))"
        case .unproven(let root, let last, let evidence):
            "The log has signed \(root.size) events, and its tiles do not prove that the"
                + " \(last.size) it signed before are among them.\(Self.advice(evidence))"
        }
    }

    private static func advice(_ evidence: String) -> String {
        " Its own signature lies in \(evidence), and the checkpoint before it beside that. Nothing"
            + " was cosigned; show both files to whoever relies on the log."
    }
}

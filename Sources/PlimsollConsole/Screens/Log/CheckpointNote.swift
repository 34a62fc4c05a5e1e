import Foundation
import PlimsollDomain

/// A signed checkpoint as it is written (C2SP signed-note, tlog-checkpoint), for people to read.
///
/// Nothing is checked here: who wants to be sure has tools of their own.
struct CheckpointNote {
    /// A line of somebody who has signed it.
    struct Line: Equatable {
        let name: String
        /// When a witness says that it saw the checkpoint; `nil` for the log itself.
        let cosignedAt: Instant?
    }

    let origin: String
    let size: Int64
    let root: String
    let lines: [Line]

    init?(_ note: String) {
        let parts = note.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 3, let size = Int64(parts[1]) else { return nil }
        (origin, self.size, root) = (parts[0], size, parts[2])
        lines = parts.compactMap(Line.init)
    }
}

extension CheckpointNote.Line {
    /// The first bytes of a signature are the key's id; those of a cosignature go on with the time.
    private static let keyIDLength = 4
    private static let cosignatureLength = 4 + 8 + 64

    /// `— name base64`.
    fileprivate init?(_ text: String) {
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count == 3, parts[0] == "—", let bytes = Data(base64Encoded: parts[2]) else {
            return nil
        }
        name = parts[1]
        guard bytes.count == Self.cosignatureLength else {
            cosignedAt = nil
            return
        }
        let time = bytes.dropFirst(Self.keyIDLength).prefix(8)
        let seconds = time.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // A time beyond all clocks is none.
        cosignedAt =
            seconds < UInt64(Int32.max) * 4
            ? Instant(millisecondsSince1970: Int64(seconds) * 1000) : nil
    }
}

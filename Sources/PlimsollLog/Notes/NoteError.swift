/// Why some bytes are no signed note.
package enum NoteError: Error, Equatable, Sendable {
    case tooLong
    case notUTF8
    case controlCharacter
    /// The text of a note is at least one line and ends with a newline.
    case textNotEnded
    /// No blank line with signatures behind it.
    case unsigned
    case lineNotEnded
    /// Counted from 1 behind the blank line.
    case malformedSignature(line: Int)
    case tooManySignatures
}

extension NoteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLong: "The note has more than \(SignedNote.byteCountMaximum) bytes."
        case .notUTF8: "The note is not valid UTF-8."
        case .controlCharacter: "The note has a control character that is not a newline."
        case .textNotEnded: "The text of the note does not end with a newline."
        case .unsigned: "The note has no signature behind a blank line."
        case .lineNotEnded: "The last line of the note does not end with a newline."
        case .malformedSignature(let line):
            """
            Signature \(line) of the note is not an em dash, a key name without spaces or plus, \
            and padded base64 of a key id and a signature, each behind one space.
            """
        case .tooManySignatures:
            "The note has more than \(SignedNote.signaturesMaximum) signatures."
        }
    }
}

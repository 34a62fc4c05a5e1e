/// A checkpoint with the lines under it.
///
/// That it could be read says nothing of who signed it: ``verification(by:)`` does.
package struct SignedCheckpoint: Hashable, Sendable {
    package let checkpoint: Checkpoint
    package let note: SignedNote

    package init(parsing bytes: [UInt8]) throws(CheckpointError) {
        do throws(NoteError) {
            note = try SignedNote(parsing: bytes)
        } catch {
            throw .note(error)
        }
        checkpoint = try Checkpoint(parsing: note.text)
    }

    init(_ checkpoint: Checkpoint, signatures: [NoteSignature]) throws(NoteError) {
        self.checkpoint = checkpoint
        note = try SignedNote(text: checkpoint.text, signatures: signatures)
    }

    package var bytes: [UInt8] { note.bytes }

    /// The same checkpoint with the lines of witnesses under those it has; none comes twice.
    package func adding(_ cosignatures: [NoteSignature]) throws(NoteError) -> SignedCheckpoint {
        var lines = note.signatures
        for line in cosignatures where !lines.contains(line) { lines.append(line) }
        return try SignedCheckpoint(checkpoint, signatures: lines)
    }
}

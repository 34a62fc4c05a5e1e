package import PlimsollSystem
package import PlimsollLog

/// What was signed and given up: one note for each checkpoint, outside the database.
///
/// Only whoever has the log's key can write one; that the database says the same is not enough.
package struct Renunciations: Sendable {
    private let folder: ExportFolder

    package init(_ folder: ExportFolder) {
        self.folder = folder
    }

    package func add(_ note: SignedNote, of root: MerkleRoot) throws(FileError) {
        try folder.givenUp.createFolder()
        try folder.givenUp(root).writeDurably(note.bytes)
        try folder.root.synchronizeFolder()
    }

    /// All that somebody with one of the keys has given up.
    package func all(signedBy keys: [VerifierKey]) throws(FileError) -> [Renunciation] {
        let names: [String]
        do throws(FileError) {
            names = try folder.givenUp.entries().sorted()
        } catch {
            guard error.isMissing else { throw error }
            return []
        }
        return names.compactMap { read(folder.givenUp / $0, signedBy: keys) }
    }

    /// What was said of a checkpoint; `nil` where nobody with one of the keys has given it up.
    package func find(_ root: MerkleRoot, signedBy keys: [VerifierKey]) -> Renunciation? {
        read(folder.givenUp(root), signedBy: keys).flatMap { $0.root == root ? $0 : nil }
    }

    /// What cannot be read permits nothing.
    private func read(_ path: Path, signedBy keys: [VerifierKey]) -> Renunciation? {
        let limit = SignedNote.byteCountMaximum
        return (try? path.readIfPresent(sizeMaximum: limit)).flatMap {
            Renunciation(parsing: $0, signedBy: keys)
        }
    }
}

import PlimsollDomain
import PlimsollSystem

/// What an edge remembers across restarts: the highest sequence it has served of each app.
///
/// Without it, whoever can write to the export folder could bring back an old snapshot, signed
/// and all, by waiting for a restart. It belongs where only the edge can write.
struct SequenceMemory {
    private let folder: Path

    init(_ folder: Path) {
        self.folder = folder
    }

    /// Nil where nothing is remembered.
    ///
    /// A file that was damaged remembers nothing either: phones get a document rather than none,
    /// and refuse it themselves if it is older than theirs.
    func sequence(of app: AppSlug) -> SnapshotSequence? {
        guard
            let bytes = try? (folder / app.text).read(sizeMaximum: 32),
            let text = String(validating: bytes, as: UTF8.self),
            let number = Int64(text.filter { $0 != "\n" })
        else { return nil }
        return SnapshotSequence(rawValue: number)
    }

    func remember(_ sequence: SnapshotSequence, of app: AppSlug) throws(FileError) {
        try folder.createFolder()
        try (folder / app.text).writeDurably(Array("\(sequence)\n".utf8))
    }
}

package import PlimsollSystem

/// Why no checkpoint is published; what was published before stays.
package enum PublicLogFailure: Error, Equatable, Sendable {
    case key(LogKeyError)
    case disk(FileError)
    /// The folder is that of a log with another key.
    case foreignKey(Path)
    /// What lies there under the name of a tile is another one: the log is not what it was.
    case foreignTile(Path)
    /// What lies there is no checkpoint that the log's key has signed.
    case foreignCheckpoint(Path, reason: String)
    /// The database's own record of a checkpoint was not signed by the log's key.
    case foreignRecord(size: Int, reason: String)
    /// More was published than the database has: it is older than the export.
    case behind(published: Int, recorded: Int)
    /// The events have another root than the one that was signed over them.
    case forked(size: Int)
    case notSigned
}

extension PublicLogFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .key(let error): error.description
        case .disk(let error): error.description
        case .foreignKey(let path):
            "\(path) is the key of another log; bring the key back that belongs to it, or export to"
                + " another folder"
        case .foreignTile(let path):
            "the tile \(path) has other hashes than the log; the database was changed or another one"
                + " restored, or the file was. Run plimsoll verify log"
        case .foreignCheckpoint(let path, let reason):
            "\(path) is not a checkpoint of this log: \(reason)"
        case .foreignRecord(let size, let reason):
            "the database's checkpoint over \(size) events is not one of this log's key: \(reason)"
        case .behind(let published, let recorded):
            "a checkpoint over \(published) events is published, and the database's newest is over"
                + " \(recorded): an older database was restored. Restore the right one"
        case .forked(let size):
            "the first \(size) events have another root than the one that was signed; the database"
                + " was changed. Run plimsoll verify log"
        case .notSigned: "the log's key could not sign; it is tried again"
        }
    }
}

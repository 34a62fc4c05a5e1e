package import PlimsollLog
import PlimsollPostgres

/// A checkpoint as the database keeps it: signed, and with what the tree grows from.
package struct StoredCheckpoint: Hashable, Sendable {
    package let frontier: MerkleFrontier
    /// The whole signed note, as it is published.
    package let note: [UInt8]

    package var root: MerkleRoot { frontier.root }

    package init(frontier: MerkleFrontier, note: [UInt8]) {
        self.frontier = frontier
        self.note = note
    }
}

extension StoredCheckpoint {
    /// Reads a row; the root in it has to be that of its frontier.
    init(_ row: Row) throws(LogError) {
        let columns: (Int64, [UInt8], [UInt8], String)
        do throws(PostgresError) {
            columns = try row.decode((Int64, [UInt8], [UInt8], String).self)
        } catch {
            throw .database(error)
        }
        let (size, root, bytes, note) = columns
        guard
            let frontier = MerkleFrontier(size: Int(size), bytes: bytes),
            frontier.root.hash.bytes == root
        else { throw .contradictoryCheckpoint(size: Int(size)) }
        self.init(frontier: frontier, note: Array(note.utf8))
    }
}

package import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem
import PlimsollLog

/// Looks at the log as it is published in a data folder, with nothing else.
package struct PublishedLogCheck: Sendable {
    private let export: ExportFolder

    /// How the published log was found.
    package enum Finding: Equatable, Sendable {
        /// Nothing was published yet.
        case none
        /// The checkpoint covers so many events, and the tiles are its own.
        case whole(Position)
        case damaged(String)
    }

    /// Takes the absolute path of the data folder.
    package init(data: String) {
        export = ExportFolder(Path(data) / "export")
    }

    package func run() async -> Finding {
        do {
            let limit = SignedNote.byteCountMaximum
            guard let bytes = try export.logCheckpoint.readIfPresent(sizeMaximum: limit) else {
                return .none
            }
            guard let key = try TileStore(export).key() else {
                return .damaged("\(export.logKey) is no verifier key.")
            }
            let outside = try OutsideCheckpoint(
                parsing: bytes,
                from: "\(export.logCheckpoint)",
                trusting: key,
                published: publicReading(of: export.log)
            )
            let tree = PublishedTree(publicReading(of: export.log))
            guard try await tree.isWhole(under: outside.checkpoint.root) else {
                return .damaged(
                    "The tiles in \(export.logTiles) are not those of the checkpoint over"
                        + " \(outside.size) events."
                )
            }
            return .whole(Position(outside.size))
        } catch let failure as LogCheckFailure {
            return .damaged(failure.description)
        } catch {
            return .damaged("\(error)")
        }
    }
}

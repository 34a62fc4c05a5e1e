package import PlimsollDomain
package import PlimsollSystem
package import PlimsollLog

/// Where everything lies that is published: names only, no disk is touched.
///
/// ```
/// keys.json                              the public keys of all apps
/// keys/{keyId}.pem
/// snapshots/{app}/{sequence}/…           never changed once it has its name
/// current/{app}                          symbolic link to ../snapshots/{app}/{sequence}
/// log/key                                what checks the log's checkpoints
/// log/checkpoint                         the newest, signed
/// log/tile/…                             the hashes under it, which never change
/// log-{size}-{root}/…                    a log that was given up, as it was
/// given-up/{size}-{root}                 that it was, signed
/// ```
package struct ExportFolder: Hashable, Sendable {
    package let root: Path

    package init(_ root: Path) {
        self.root = root
    }

    package var keyList: Path { root / "keys.json" }
    package var keys: Path { root / "keys" }
    package var snapshots: Path { root / "snapshots" }
    package var currents: Path { root / "current" }

    package var log: Path { root / "log" }
    package var logKey: Path { log / "key" }
    package var logCheckpoint: Path { log / "checkpoint" }
    package var logTiles: Path { log / "tile" }

    package var givenUp: Path { root / "given-up" }

    package func givenUp(_ merkleRoot: MerkleRoot) -> Path {
        givenUp / "\(merkleRoot.size)-\(merkleRoot.hash)"
    }

    /// Where a log lies that was given up.
    func logSetAside(_ merkleRoot: MerkleRoot) -> Path {
        root / "\(Self.setAsidePrefix)\(merkleRoot.size)-\(merkleRoot.hash.description.prefix(8))"
    }

    /// The logs that were set aside here.
    package func logsSetAside() throws(FileError) -> [Path] {
        do throws(FileError) {
            return try root.entries().sorted().filter { $0.hasPrefix(Self.setAsidePrefix) }
                .map { root / $0 }
        } catch {
            guard error.isMissing else { throw error }
            return []
        }
    }

    private static let setAsidePrefix = "log-"

    package func tile(_ address: TileAddress) -> Path { log / address.path }

    package func key(_ id: KeyID) -> Path { keys / "\(id).pem" }

    package func snapshots(of app: AppSlug) -> Path { snapshots / app.text }

    package func snapshot(_ sequence: SnapshotSequence, of app: AppSlug) -> Path {
        snapshots(of: app) / "\(sequence)"
    }

    package func current(of app: AppSlug) -> Path { currents / app.text }

    /// What is written in the link of ``current(of:)``.
    package func currentDestination(_ sequence: SnapshotSequence, of app: AppSlug) -> String {
        "../snapshots/\(app)/\(sequence)"
    }

    /// Reads what ``currentDestination(_:of:)`` gives.
    package func sequence(inDestination text: String, of app: AppSlug) -> SnapshotSequence? {
        guard
            let last = text.split(separator: "/").last, let number = Int64(last),
            let sequence = SnapshotSequence(rawValue: number),
            currentDestination(sequence, of: app) == text
        else { return nil }
        return sequence
    }
}

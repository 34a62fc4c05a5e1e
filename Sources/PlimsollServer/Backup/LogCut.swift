import Foundation
package import PlimsollDomain
import PlimsollJSON
import PlimsollLog
import PlimsollPostgres
import PlimsollPublishing
import PlimsollStore
import PlimsollSystem

/// Takes what the service did not write off the end of its log.
package struct LogCut: Sendable {
    private let database: RunningDatabase
    private let data: Path

    /// What was taken off, and where it is kept.
    package struct Outcome: Equatable, Sendable {
        package let first: Position
        package let last: Position
        package let flaw: String
        package let file: String
    }

    /// Takes the absolute path of the data folder, which has the keys and what was published.
    package init(_ database: RunningDatabase, data: String) {
        self.database = database
        self.data = Path(data)
    }

    /// Takes the absolute path of a file that is not there yet; `nil` where nothing is to be cut.
    package func run(keepingIn file: String) async throws(BackupFailure) -> Outcome? {
        let file = Path(file)
        let keys = EntryKeyFolder(data / "keys" / EntryKeyFolder.name)
        do {
            let published = try TileStore(ExportFolder(data / "export")).checkpoint()
            let signer = try LogKeyFile(data / "keys" / "log", origin: nil).signer()
            let evidence = try GrowingFile(file)
            try await StoreSchema.require(database.connection)
            let cut = try await StoreSchema.cut(
                database.connection,
                authentication: EntryAuthentication(keysIn: keys),
                published: published?.checkpoint.root.size ?? 0,
                signedBy: signer?.verifierKey
            ) { cut in
                switch cut {
                case .entries(let entries): try evidence.append(entries.flatMap(\.line))
                case .end: try evidence.finish()
                }
            }
            return Outcome(first: cut.first, last: cut.last, flaw: cut.flaw, file: "\(file)")
        } catch CutRefusal.nothingToCut {
            return nil
        } catch let error as PostgresError where error.kind == .commitUnknown {
            throw BackupFailure(
                description: "It is not known whether the log was cut; what was to be taken off is"
                    + " kept in \(file). \(error)",
                cause: .commit
            )
        } catch {
            throw BackupFailure(description: "The log is as it was. \(error)", cause: .log)
        }
    }
}

extension LogEntry {
    /// In base64 on a line, since whoever wrote it need not have written JSON.
    fileprivate var line: [UInt8] {
        let line: JSONObject = [
            "entry": .string(Data(bytes).base64EncodedString()),
            "position": .integer(position.rawValue),
        ]
        return line.canonicalBytes() + [UInt8(ascii: "\n")]
    }
}

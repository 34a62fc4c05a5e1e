import PlimsollSystem
import PlimsollStore

/// Looks at every event of a log in a backup, with no database at all.
package struct BackupCheck: Sendable {
    private let file: Path
    private let outside: [OutsideCheckpoint]

    /// Takes the absolute path of the backup, and checkpoints that were kept elsewhere.
    package init(_ file: String, outside: [OutsideCheckpoint] = []) {
        self.file = Path(file)
        self.outside = outside
    }

    package func run() async throws(LogCheckFailure) -> LogCheck.Finding {
        var verifier = BackupVerifier(.deciding(rootsOf: Set(outside.map(\.size))))
        do {
            try read(into: &verifier)
        } catch let flaw as LogFlawFound {
            return await LogCheck.Finding(of: verifier.entries, before: flaw, against: outside)
                ?? LogCheck.Finding(flaw)
        } catch {
            throw LogCheckFailure(
                description: "\(file) is no whole backup as plimsoll backup writes it. \(error)"
            )
        }
        return await LogCheck.Finding(of: verifier.entries, against: outside)
            ?? .sound(of: verifier.entries)
    }

    private func read(into verifier: inout BackupVerifier) throws {
        var source = try LineSource(backup: file)
        while let line = try source.line() { try verifier.take(line) }
        try verifier.end()
    }
}

extension LineSource {
    /// An outcome that is kept beside a command can be longer than an entry.
    static let backupLineMaximum = 16 << 20

    init(backup file: Path) throws(FileError) {
        try self.init(file, lengthMaximum: Self.backupLineMaximum)
    }
}

import Logging
import Metrics
import PlimsollDomain
import PlimsollPostgres

/// Holds the names beside the log against what the log says of them, and tells what it finds.
///
/// What a name was is not in the log, so nothing is mended here: such a name is not shown.
struct NameCheck: Sendable {
    private let directory: Directory
    private let log: EventLog
    private let progress: VerifierProgress
    private let logger: Logger
    private var before: [PrincipalID: SaltedName] = [:]
    private var told: NameFindings?
    /// Whose names were not there in the round before.
    private var suspects: Set<PrincipalID> = []

    private static let namedMaximum = 20

    init(_ directory: Directory, _ log: EventLog, _ progress: VerifierProgress, _ logger: Logger) {
        (self.directory, self.log, self.progress, self.logger) = (directory, log, progress, logger)
    }

    /// Reads what there is before a round, so that a name that is erased during it is not missed.
    mutating func begin() async throws(PostgresError) {
        before = try await directory.everyName()
    }

    /// Looks at all names, where the round has led to a state at some position.
    ///
    /// A name that was erased elsewhere is gone before this instance has read of that; so where there is
    /// more to read, one is missed only in the second round without it.
    mutating func look(in access: Access, at position: Position) async throws {
        let names = before.merging(try await directory.everyName()) { $1 }
        var found = NameFindings(names, in: access)
        let missing = Set(found.missing)
        if !missing.isEmpty, try await log.head().position > position {
            found.missing.removeAll { !suspects.contains($0) }
        }
        suspects = missing
        progress.note { $0.names = found }
        Gauge(label: "plimsoll.verifier.names.altered").record(Int64(found.altered.count))
        Gauge(label: "plimsoll.verifier.names.missing").record(Int64(found.missing.count))
        Gauge(label: "plimsoll.verifier.names.uncommitted").record(Int64(found.uncommitted))
        if found.altered != told?.altered ?? [] {
            tell("names were altered, and are not shown", found.altered)
        }
        if found.missing != told?.missing ?? [] {
            tell("names are gone that nobody erased", found.missing)
        }
        told = found
    }

    private func tell(_ sentence: Logger.Message, _ principals: [PrincipalID]) {
        guard !principals.isEmpty else { return }
        let named = principals.prefix(Self.namedMaximum).map(\.text).joined(separator: ", ")
        logger.error(
            sentence,
            metadata: ["principals": "\(named)", "count": "\(principals.count)"]
        )
    }
}

import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollEdge
import PlimsollServer

/// Looks whether clients take the certificate that phones are served with, and how long they will.
struct CertificateCheck {
    /// An absolute path.
    let file: String

    private static let remedy =
        "Put a new one into the same files; the edge takes it over without a restart."

    func finding(now: Instant) -> Finding {
        do {
            return Self.finding(try CertificateFile(file).validity(), now: now)
        } catch {
            return .bad(
                "certificate",
                legible("\(error)"),
                "Name the file that the edge was given."
            )
        }
    }

    static func finding(_ validity: CertificateFile.Validity, now: Instant) -> Finding {
        let (begin, end) = (validity.begin, validity.end)
        guard begin <= now else {
            return .bad(
                "certificate",
                "it is not valid before \(begin), and phones refuse it until then",
                "Put one that is valid by now into the same files, until this one is."
            )
        }
        guard end > now else {
            return .bad("certificate", "it ended on \(end), and phones refuse it", remedy)
        }
        guard end > now.advanced(by: CertificateFile.noticePeriod) else {
            return .bad("certificate", "it ends on \(end)", remedy)
        }
        return .good("certificate", "phones take it until \(end)")
    }
}

/// Looks at the data directory: is it there, and are its secrets kept from others.
struct DataFolderCheck {
    let folder: String

    func findings() -> [Finding] {
        guard isFolder(folder) else {
            return [
                .bad("data", "\(folder) is no folder", "Name the folder that serve was given.")
            ]
        }
        let open = secrets().filter(isOpen)
        guard open.isEmpty else {
            return open.map { path in
                .bad("data", "others can read or write \(path)", "chmod go-rwx \(path)")
            }
        }
        if let fault = WebhookKeyFile(of: folder).fault {
            return [
                .bad(
                    "data",
                    fault,
                    "Put the file back from its copy; or move it away, and make every webhook a new"
                        + " secret."
                )
            ]
        }
        return [.good("data", "the secrets in \(folder) are kept from others")]
    }

    /// As deep as keys lie.
    private func secrets() -> [String] {
        let keys = paths(in: "\(folder)/keys").flatMap { isFolder($0) ? paths(in: $0) : [$0] }
        return (keys + ["\(folder)/admin-token"]).filter { !isFolder($0) }
    }

    /// Links to folders are followed, as whoever signs follows them.
    private func paths(in folder: String) -> [String] {
        // What cannot be looked at is not there for us.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().map { "\(folder)/\($0)" }
    }

    private func isFolder(_ path: String) -> Bool {
        attributes(path)?[.type] as? FileAttributeType == .typeDirectory
    }

    private func isOpen(_ path: String) -> Bool {
        // A file that is gone in the meantime is open to nobody.
        let mode = (attributes(path)?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        return mode & 0o077 != 0
    }

    /// A link counts by what it leads to; its own permissions say nothing.
    private func attributes(_ path: String) -> [FileAttributeKey: Any]? {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        // What cannot be looked at is not there for us.
        return try? FileManager.default.attributesOfItem(atPath: target)
    }
}

/// Looks at the settings of the server that keeps the log, as they are now, and at what the login
/// may do to it.
///
/// The service looks at its start; somebody may have changed them since.
struct DatabaseCheck {
    let database: RunningDatabase

    func findings() async -> [Finding] {
        do throws(LogCheckFailure) {
            let faults = try await database.settingFaults()
            guard faults.isEmpty else {
                return faults.map {
                    .bad("database", $0, "Mend it, reload PostgreSQL, and look again.")
                }
            }
            return [
                .good("database", "its settings keep what was acknowledged"),
                try await loginFinding(),
            ]
        } catch {
            return [
                .bad(
                    "database",
                    legible(error.description),
                    "Start it, or run this as an account that may connect; a private one runs with"
                        + " plimsoll serve."
                )
            ]
        }
    }

    private func loginFinding() async throws(LogCheckFailure) -> Finding {
        let faults = try await database.loginFaults()
        guard faults.isEmpty else {
            return .bad(
                "database login",
                legible(faults.joined(separator: " ")),
                "Give the service a login that may append and read, and this one as"
                    + " PLIMSOLL_MIGRATION_URL."
            )
        }
        return .good("database login", "it may append and read, and owns nothing of the log")
    }
}

/// Looks whether there is room left where the log, the export and the keys lie.
struct DiskCheck {
    let folder: String

    /// On a small disk its twentieth part, on a large one this much; a full disk stops all writes.
    static let freeNeededMaximum: Int64 = 10 << 30
    static let freeNeededMinimum: Int64 = 512 << 20

    func finding() -> Finding {
        // What cannot be looked at is said by the check of the folder.
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        guard
            let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value,
            let size = (attributes?[.systemSize] as? NSNumber)?.int64Value
        else {
            return .bad("disk", "the disk of \(folder) cannot be looked at", "Look with df.")
        }
        return Self.finding(folder, free: free, of: size)
    }

    static func finding(_ folder: String, free: Int64, of size: Int64) -> Finding {
        let needed = min(freeNeededMaximum, max(freeNeededMinimum, size / 20))
        let megabytes = free >> 20
        guard free >= needed else {
            return .bad(
                "disk",
                "the disk of \(folder) is nearly full: \(megabytes) MiB are left",
                "Make room: at least \(needed >> 20) MiB. Leave export, keys and postgres alone."
            )
        }
        return .good("disk", "\(megabytes) MiB are left for \(folder)")
    }
}

/// Looks whether the export directory shows what the log says was published.
struct ExportCheck {
    let folder: String

    func findings(_ apps: [AppAnswer]) -> [Finding] {
        let findings = apps.compactMap(finding)
        return findings.isEmpty ? [.good("export", "it is where the log says")] : findings
    }

    private func finding(_ app: AppAnswer) -> Finding? {
        guard let logged = app.sequence else { return nil }
        let link = "\(folder)/\(app.slug)"
        // Where no link is, nothing is published.
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
        let shown = target.flatMap { $0.split(separator: "/").last }.flatMap { Int64($0) }
        guard let shown else {
            return .bad(
                "export",
                "\(link) leads nowhere, and the log published sequence \(logged)",
                "Put the export directory back from its backup."
            )
        }
        guard shown != logged.rawValue else { return nil }
        let isBehind = shown < logged.rawValue
        return .bad(
            "export",
            "\(link) is at sequence \(shown), \(isBehind ? "behind" : "ahead of") the log's \(logged)",
            isBehind
                ? "Look again in a second; then at the service's log for why it does not export."
                : "The log may be an old backup: see docs/operating/backup.md before anything else."
        )
    }
}

/// Looks whether the private keys of a data directory have a copy anywhere else.
struct KeyBackupCheck {
    let folder: String

    private static let name = "key backup"

    func finding() -> Finding {
        do throws(BackupFailure) {
            return try look()
        } catch {
            return .bad(
                Self.name,
                error.description,
                "Let the service's account read and write \(folder)."
            )
        }
    }

    private func look() throws(BackupFailure) -> Finding {
        let copy = KeyCopy(of: folder)
        let keys = try copy.files()
        let last = try copy.last()
        let uncopied = keys.filter { last?.files.contains($0) != true }
        guard uncopied.isEmpty, let last else {
            return keys.isEmpty
                ? .good(Self.name, "there are no private keys yet")
                : bad("the private keys \(uncopied.joined(separator: ", ")) have no copy", uncopied)
        }
        guard copy.canSee(last.folder) else {
            return .unchecked(
                Self.name,
                "the private keys were copied to \(last.folder) at \(last.copiedAt); it cannot be"
                    + " seen from here",
                "Look at the copy itself with plimsoll doctor --key-copy, where it lies."
            )
        }
        let missing = try copy.missing(from: last.folder)
        guard missing.isEmpty else {
            return bad(
                "\(last.folder) does not have \(missing.joined(separator: ", ")) as it is here",
                missing
            )
        }
        return .good(Self.name, "\(last.folder) has every private key: \(keys.count)")
    }

    private func bad(_ sentence: String, _ files: [String]) -> Finding {
        let loss =
            files == [KeyCopy.webhookFile]
            ? "If it is lost, every webhook needs a new secret."
            : "If a key is lost, no phone will ever believe another document."
        return .bad(
            Self.name,
            sentence,
            "Copy them with plimsoll keys copy FOLDER --data \(folder), encrypt the copy and keep it"
                + " elsewhere. \(loss)"
        )
    }
}

/// Looks for the programs that a private PostgreSQL needs.
func postgresFinding(_ database: DatabaseOptions) -> Finding {
    guard database.folder != nil else {
        return .unchecked("PostgreSQL", "nobody said that the service runs on this machine")
    }
    guard database.address == nil else {
        return .good("PostgreSQL", "a server is named as the database; none is needed here")
    }
    let folders = postgresFolders()
    guard let folder = folders.first(where: hasServer) else {
        return .bad(
            "PostgreSQL",
            "no server is installed on this machine",
            "Install one (apt-get install postgresql), or set PLIMSOLL_DATABASE_URL."
        )
    }
    return .good("PostgreSQL", "a server is installed in \(folder)")
}

/// Debian keeps each version in a folder of its own, outside of the search path.
private func postgresFolders() -> [String] {
    let root = "/usr/lib/postgresql"
    // Where there is no such folder, nothing is in it.
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let searched = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(root)/\($0)/bin" }
        + searched
}

private func hasServer(_ folder: String) -> Bool {
    ["postgres", "initdb"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)")
    }
}

/// Looks whether the transparency log is published as far as the record goes.
struct PublishedLogFinding {
    /// The absolute path of the data folder.
    let folder: String

    func finding(end: Position, again: () async throws -> Position) async throws -> Finding {
        let found = await PublishedLogCheck(data: folder).run()
        return try await Self.finding(found, end: end, again: again)
    }

    /// The record goes on while the log is looked at: before a log is ahead of it, its end is asked
    /// for again.
    static func finding(
        _ found: PublishedLogCheck.Finding,
        end: Position,
        again: () async throws -> Position
    ) async throws -> Finding {
        guard case .whole(let size) = found, size > end else { return finding(found, end: end) }
        return finding(found, end: try await again())
    }

    static func finding(_ found: PublishedLogCheck.Finding, end: Position) -> Finding {
        switch found {
        case .none where end == .start:
            return .good("log", "nothing has happened yet")
        case .none:
            return .bad("log", "no checkpoint is published, and there are \(end) events", remedy)
        case .damaged(let sentence):
            return .bad(
                "log",
                legible(sentence),
                "Put export/log back from its backup; the service's log says what it could not"
                    + " publish."
            )
        case .whole(let size) where size < end:
            return .bad(
                "log",
                "the published checkpoint covers \(size) events, and there are \(end)",
                remedy
            )
        case .whole(let size) where size > end:
            return .bad(
                "log",
                "the published checkpoint covers \(size) events, and there are only \(end)",
                "The log may be an old backup: see docs/operating/backup.md before anything else."
            )
        case .whole(let size):
            return .good("log", "the published checkpoint covers all \(size) events")
        }
    }

    private static let remedy =
        "Look again in a second; then at the service's log for why it does not publish."
}

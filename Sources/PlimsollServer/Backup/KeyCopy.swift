package import PlimsollDomain
import PlimsollSystem
package import PlimsollJSON
import PlimsollService

/// Copies the private keys to another folder, and keeps in mind that there is a copy.
///
/// Keys are only ever added, so a copy that has a key has it for good; but the one that the secrets of
/// webhooks are made from is made anew where it was lost.
package struct KeyCopy: Sendable {
    private let data: Path

    /// What the secrets of webhooks are made from; no phone believes it, and it can be made anew.
    package static let webhookFile = WebhookKey.fileName

    private static let sizeMaximum = 64 * 1024

    /// Takes the absolute path of a data folder.
    package init(of data: String) {
        self.data = Path(data)
    }

    /// What is known of the last copy.
    package struct Record: Equatable, Sendable {
        package let folder: String
        package let copiedAt: Instant
        package let files: [String]
    }

    private var keys: Path { data / "keys" }
    private var record: Path { data / "key-copy.json" }

    /// The private keys there are, as paths below the folder `keys`.
    package func files() throws(BackupFailure) -> [String] {
        try translated { () throws(FileError) in
            var files: [String] = []
            for name in try keys.entries() where !name.hasPrefix(".") {
                guard try (keys / name).isFolder() else {
                    files.append(name)
                    continue
                }
                files += try (keys / name).entries().filter { !$0.hasPrefix(".") }
                    .map { "\(name)/\($0)" }
            }
            return files
        }
    }

    /// Copies them, readable for their owner alone, and reads them back; one that cannot be copied
    /// keeps no other from it.
    package func make(in folder: String, at now: Instant) throws(BackupFailure) -> Record {
        var copied: [String] = []
        var failures: [BackupFailure] = []
        for file in try files() {
            do throws(BackupFailure) {
                try copy(file, to: Path(folder))
                copied.append(file)
            } catch {
                failures.append(error)
            }
        }
        let made = Record(folder: folder, copiedAt: now, files: copied)
        try translated { () throws(FileError) in
            try record.writeDurably(made.json.canonicalBytes(), permissions: .ownerOnly)
        }
        guard failures.isEmpty else {
            let sentences = failures.map(\.description).joined(separator: " ")
            throw BackupFailure(description: "\(sentences) All others were copied.")
        }
        return made
    }

    /// What was copied last; `nil` where nothing ever was.
    package func last() throws(BackupFailure) -> Record? {
        let bytes = try translated { () throws(FileError) in
            try record.readIfPresent(sizeMaximum: 1 << 20)
        }
        guard let bytes else { return nil }
        do {
            return try Record(parsing: bytes)
        } catch {
            throw BackupFailure(description: "\(record) is not what plimsoll keys copy writes.")
        }
    }

    /// The keys that are not in a copy, or not as they are here.
    package func missing(from folder: String) throws(BackupFailure) -> [String] {
        var missing: [String] = []
        for file in try files() {
            let isSame = try translated { () throws(FileError) in
                let here = try below(keys, file).readIfPresent(sizeMaximum: Self.sizeMaximum)
                let there = try below(Path(folder), file).readIfPresent(
                    sizeMaximum: Self.sizeMaximum
                )
                return here == there
            }
            if !isSame { missing.append(file) }
        }
        return missing
    }

    /// Whether anything can be seen of a folder from here.
    package func canSee(_ folder: String) -> Bool {
        (try? Path(folder).isFolder()) == true
    }

    private func copy(_ file: String, to folder: Path) throws(BackupFailure) {
        let (source, target) = (below(keys, file), below(folder, file))
        let isThere = try translated { () throws(FileError) in
            let bytes = try source.readSecret(sizeMaximum: Self.sizeMaximum)
            try target.parent.createFolder(permissions: .folderOfOwner)
            if let known = try target.readIfPresent(sizeMaximum: Self.sizeMaximum) {
                return known == bytes
            }
            try target.writeDurablyOnce(bytes, permissions: .ownerOnly)
            return try target.read(sizeMaximum: Self.sizeMaximum) == bytes
        }
        guard isThere else {
            let next =
                file == Self.webhookFile
                ? " The earlier one was lost, and this was made anew: move the copy away, and copy again."
                : ""
            throw BackupFailure(description: "\(target) is another key than \(source).\(next)")
        }
    }

    private func below(_ folder: Path, _ file: String) -> Path {
        file.split(separator: "/").reduce(folder) { $0 / String($1) }
    }

    private func translated<Answer>(
        _ body: () throws(FileError) -> Answer
    ) throws(BackupFailure) -> Answer {
        do throws(FileError) {
            return try body()
        } catch {
            throw BackupFailure(description: "The private keys cannot be copied or seen. \(error)")
        }
    }
}

extension KeyCopy.Record {
    package var json: JSONObject {
        [
            "copiedAt": .string(copiedAt.rfc3339), "files": .array(files.map { .string($0) }),
            "folder": .string(folder),
        ]
    }

    init(parsing bytes: [UInt8]) throws(JSONIssues) {
        var reader = try ObjectReader(parsing: bytes)
        let copiedAt = reader.string("copiedAt", needing: "a time as in RFC 3339") {
            Instant(rfc3339: $0)
        }
        let files = reader.strings("files", needing: "a name") { $0 }
        let folder = reader.string("folder")
        self = try reader.finish {
            guard let copiedAt, let files, let folder else { return nil }
            return Self(folder: folder, copiedAt: copiedAt, files: files)
        }
    }
}

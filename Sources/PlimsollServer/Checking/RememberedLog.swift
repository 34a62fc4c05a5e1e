import Logging
import PlimsollDomain
import PlimsollEdge
import PlimsollLog
import PlimsollStore
import PlimsollSystem
import ServiceLifecycle

/// The last entries that a process knew when its database came back without them, in a file.
///
/// It outlives the process, which is started again to go on. The first line names the last event that
/// the process knew, by its position and its leaf, since it may have read that without its entry.
/// Behind it is an entry a line, from the first that the process still had in memory: its position, a
/// blank, and the entry as it was hashed.
struct RememberedLog: Sendable {
    let file: Path
    /// The last event that was known; `nil` in the files of programs that did not write it.
    let tip: LogTip?
    let entries: [LogEntry]

    static let folderName = "diverged"
    fileprivate static let tipWord = "known"
    /// What a process keeps, with room for the positions.
    private static let sizeMaximum = 4 * RecentEntries.bytesMaximum

    /// All that processes have left in a data folder, each by its file; the latest is the last.
    static func all(in data: Path) throws(FileError) -> [RememberedLog] {
        let folder = data / folderName
        var found: [RememberedLog] = []
        for name in try folder.entriesIfPresent() where name.hasSuffix(".log") {
            let file = folder / name
            found.append(RememberedLog(file, try file.read(sizeMaximum: sizeMaximum)))
        }
        return found
    }

    /// Writes what is remembered; it is nobody's but the owner's to read.
    static func write(
        _ entries: [LogEntry],
        upTo tip: LogTip,
        in data: Path
    ) throws(FileError) -> Path {
        let folder = data / folderName
        try folder.createFolder(permissions: .folderOfOwner)
        let time = Instant.now.rfc3339.filter { $0 != ":" }
        let file = folder / "\(time)-\(UInt32.random(in: .min ... .max)).log"
        var bytes = Array("\(tipWord) \(tip.position) \(tip.leaf)\n".utf8)
        for entry in entries {
            bytes += Array("\(entry.position.rawValue) ".utf8) + entry.bytes + [UInt8(ascii: "\n")]
        }
        try file.writeDurably(bytes, permissions: .ownerOnly)
        return file
    }

    /// What does not follow the entry before it, or is none, is left out.
    private init(_ file: Path, _ bytes: [UInt8]) {
        self.file = file
        var entries: [LogEntry] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        tip = lines.first.flatMap(LogTip.init)
        for line in lines {
            guard let entry = LogEntry(line),
                entries.last.map({ $0.position.advanced(by: 1) == entry.position }) ?? true
            else { continue }
            entries.append(entry)
        }
        self.entries = entries
    }
}

extension LogTip {
    /// Fails for what is not the first line of such a file.
    fileprivate init?(_ line: ArraySlice<UInt8>) {
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard words.count == 3, words[0] == RememberedLog.tipWord,
            let position = Int64(words[1]).flatMap(Position.init(rawValue:)),
            let leaf = MerkleHash(hex: words[2])
        else { return nil }
        self.init(position: position, leaf: leaf)
    }
}

extension LogEntry {
    /// Fails for what is not a position, a blank, and something behind it.
    fileprivate init?(_ line: ArraySlice<UInt8>) {
        guard let blank = line.firstIndex(of: UInt8(ascii: " ")), blank + 1 < line.endIndex,
            let number = Int64(String(decoding: line[..<blank], as: UTF8.self)),
            let position = Position(rawValue: number)
        else { return nil }
        self.init(position: position, bytes: Array(line[(blank + 1)...]))
    }
}

/// Writes down what this process knows, once its database lacks it.
struct LossRecorder: Service {
    let memory: LogMemory
    let data: Path
    let logger: Logger

    private static let pauseMaximum = Duration.seconds(60)

    func run() async throws {
        try await watchUntilShutdown {
            try await memory.whenForbidden()
            try await recordWhenPossible()
            try await gracefulShutdown()
        }
    }

    /// Nobody else knows it, so a disk that does not take it is asked again.
    private func recordWhenPossible() async throws {
        // A log that is damaged lacks nothing that was known.
        guard let loss = memory.loss, loss.cause != .logDamaged else { return }
        var pause = Duration.seconds(1)
        while !record() {
            try await Task.sleep(for: pause)
            pause = min(pause * 2, Self.pauseMaximum)
        }
    }

    private func record() -> Bool {
        do {
            let file = try RememberedLog.write(
                memory.recent.entries,
                upTo: memory.tip,
                in: data
            )
            logger.critical(
                "what the database lacks was written to a file",
                metadata: ["file.path": "\(file)"]
            )
            return true
        } catch {
            logger.critical(
                "what the database lacks is kept nowhere but in memory",
                metadata: ["error": "\(error)"]
            )
            return false
        }
    }
}

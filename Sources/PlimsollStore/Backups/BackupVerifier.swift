import Crypto
import FoundationEssentials
package import PlimsollDomain
import PlimsollJSON
package import PlimsollLog

/// What the end of a backup says of all the lines before it.
package struct BackupSeal: Sendable {
    private var hash = SHA256()
    private var frontier = MerkleFrontier()

    package init() {}

    /// Takes a line without its newline.
    package mutating func take(_ line: BackupLine, _ bytes: [UInt8]) {
        hash.update(data: bytes)
        hash.update(data: [0x0A])
        if case .entry = line { frontier.append(entry: bytes) }
    }

    package var end: BackupEnd {
        BackupEnd(
            events: frontier.size,
            root: frontier.root.hash.description,
            sha256: hexadecimal(hash.finalize())
        )
    }
}

/// Takes in a backup line by line, and believes none of it.
package struct BackupVerifier: Sendable {
    /// What the entries came to.
    package private(set) var entries: EntryVerifier
    /// The records of commands that no entry names, which the service never makes.
    package private(set) var strayCommands: [CommandID] = []
    /// Over how many events checkpoints are recorded that are not as the log's key signed them.
    package private(set) var strayCheckpoints: [Int] = []
    private let givenKey: VerifierKey?
    private let foundKey: VerifierKey?
    private var hash = SHA256()
    private var checkpoints: [RecordedRoot] = []
    private var appends: [String: ClosedRange<Int64>] = [:]
    private var count = 0
    private var place = Place.start

    /// What counts of the record of a checkpoint: all of it is a kilobyte, and after years there are
    /// millions.
    private struct RecordedRoot: Sendable {
        let size: Int
        /// `nil` where the record contradicts itself.
        let root: MerkleRoot?
        /// By the key that was given, or else the one that was found.
        let isSigned: Bool
        let isConsistent: Bool
    }

    fileprivate enum Place: Comparable {
        case start, entries, commands, checkpoints, cosignatures, overruled, end
    }

    /// Takes the log's key too; or one that was found and may be another log's, which it is where it has
    /// signed no checkpoint here.
    package init(
        _ entries: EntryVerifier,
        signedBy givenKey: VerifierKey? = nil,
        found foundKey: VerifierKey? = nil
    ) {
        self.entries = entries
        self.givenKey = givenKey
        self.foundKey = foundKey
    }

    /// Takes the next line, without its newline.
    package mutating func take(_ bytes: [UInt8]) throws {
        count += 1
        let line: BackupLine
        do throws(JSONIssues) {
            line = try BackupLine(parsing: bytes)
        } catch {
            throw flaw(error.issues.map(\.detail).joined(separator: " "))
        }
        try advance(to: line)
        switch line {
        case .begin, .cosignature, .overruled: break
        case .entry: try take(entry: bytes)
        case .command(let command): try take(command)
        case .checkpoint(let checkpoint): take(RecordedCheckpoint(checkpoint))
        case .end(let end): try compare(end)
        }
        hash.update(data: bytes)
        hash.update(data: [0x0A])
    }

    /// There are no more lines.
    package mutating func end() throws {
        guard place == .end else {
            throw BackupFlaw(line: count + 1, "The end is missing: the backup is cut short.")
        }
        try entries.end()
        if let first = appends.values.map(\.lowerBound).min() {
            throw LogFlawFound(Position(Int(first)), .command)
        }
        try compareCheckpoints()
    }

    /// The first line is the beginning, nothing follows the end, and the parts keep their order.
    private mutating func advance(to line: BackupLine) throws {
        let next = line.place
        guard (line == .begin) == (place == .start), next >= place, place != .end else {
            throw flaw("This line does not belong here, or is no line of a backup.")
        }
        place = next
    }

    private mutating func take(entry: [UInt8]) throws(LogFlawFound) {
        let event = try entries.take(entry)
        let (id, position) = (event.command.description, event.position.rawValue)
        guard let known = appends[id] else { return appends[id] = position...position }
        guard known.upperBound + 1 == position else {
            throw LogFlawFound(event.position, .command)
        }
        appends[id] = known.lowerBound...position
    }

    private mutating func take(_ command: BackupCommand) throws(LogFlawFound) {
        let append = appends.removeValue(forKey: command.id)
        if command.first == nil, append == nil, let id = UUID(uuidString: command.id) {
            strayCommands.append(CommandID(id))
        }
        guard command.first == append?.lowerBound,
            append.map({ $0.upperBound == command.last }) ?? true
        else {
            let position = append?.lowerBound ?? command.first ?? command.last
            throw LogFlawFound(Position(Int(max(position, 0))), .command)
        }
    }

    private mutating func take(_ checkpoint: RecordedCheckpoint) {
        checkpoints.append(
            RecordedRoot(
                size: checkpoint.size,
                root: checkpoint.stored?.root,
                isSigned: (givenKey ?? foundKey).map(checkpoint.isSigned) ?? false,
                isConsistent: checkpoint.isSigned(by: nil)
            )
        )
    }

    private func compare(_ end: BackupEnd) throws {
        guard end.sha256 == hexadecimal(hash.finalize()) else {
            throw flaw("The lines before are not those that were written: their SHA-256 differs.")
        }
        guard end.events == entries.frontier.size,
            end.root == entries.frontier.root.hash.description
        else { throw flaw("The end speaks of other events than there are.") }
    }

    /// Who has to have signed the checkpoints; `nil` where that is not known.
    package var logKey: VerifierKey? {
        givenKey ?? (checkpoints.contains(where: \.isSigned) ? foundKey : nil)
    }

    private mutating func compareCheckpoints() throws {
        let isKeyKnown = logKey != nil
        var frontier = MerkleFrontier()
        var rest = entries.leaves[...]
        for checkpoint in checkpoints {
            guard isKeyKnown ? checkpoint.isSigned : checkpoint.isConsistent else {
                strayCheckpoints.append(checkpoint.size)
                continue
            }
            let good = frontier.size
            while frontier.size < checkpoint.size, let leaf = rest.popFirst() {
                frontier.append(leaf: leaf)
            }
            guard frontier.size == checkpoint.size else {
                throw LogFlawFound(entries.next, .missing)
            }
            guard frontier.root == checkpoint.root else {
                let first = Position(min(good, max(frontier.size - 1, 0)) + 1)
                throw LogFlawFound(first, .checkpoint(size: frontier.size))
            }
        }
    }

    private func flaw(_ sentence: String) -> BackupFlaw {
        BackupFlaw(line: count, sentence)
    }
}

/// A line of a backup that is not what it has to be.
package struct BackupFlaw: Error, Equatable, Sendable {
    package let line: Int
    package let sentence: String

    init(line: Int, _ sentence: String) {
        self.line = line
        self.sentence = sentence
    }
}

extension BackupFlaw: CustomStringConvertible {
    package var description: String { "Line \(line): \(sentence)" }
}

extension RecordedCheckpoint {
    fileprivate init(_ line: BackupCheckpoint) {
        self.init(size: line.size, root: line.root, frontier: line.frontier, note: line.note)
    }
}

extension BackupLine {
    fileprivate var place: BackupVerifier.Place {
        switch self {
        case .begin, .entry: .entries
        case .command: .commands
        case .checkpoint: .checkpoints
        case .cosignature: .cosignatures
        case .overruled: .overruled
        case .end: .end
        }
    }
}

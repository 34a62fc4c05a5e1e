import FoundationEssentials
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
package import PlimsollLog
import PlimsollStore
import PlimsollSystem

/// Looks at a record that was written out with its entries, and needs no database.
package struct RecordCheck: Sendable {
    private let file: Path
    private let outside: [OutsideCheckpoint]
    private let key: VerifierKey

    /// What the lines came to.
    package enum Finding: Equatable, Sendable {
        /// All fit; so many events are under the newest checkpoint that the file ends with.
        case sound(events: Int, root: String, covered: Int?)
        /// The first line that does not fit, from 1.
        case broken(line: Int, String)
    }

    /// What is wrong with a line.
    private struct Flaw: Error {
        let sentence: String
    }

    /// The last line.
    private struct Ending {
        let line: Int
        let end: ExportEnd
    }

    private static let lineMaximum = 16 << 20

    /// Takes the absolute path of the file, checkpoints that were kept elsewhere, and the log's key.
    package init(_ file: String, outside: [OutsideCheckpoint], key: VerifierKey) {
        self.file = Path(file)
        self.outside = outside
        self.key = key
    }

    package func run() async throws(LogCheckFailure) -> Finding {
        do {
            guard let ending = try ending() else {
                throw LogCheckFailure(
                    description: "\(file) does not end as an export does: it was cut short, or is"
                        + " none."
                )
            }
            return try await finding(ending)
        } catch let failure as LogCheckFailure {
            throw failure
        } catch {
            throw LogCheckFailure(description: "\(file) cannot be read. \(error)")
        }
    }

    /// The end is read first: it has the checkpoint whose root has to be known.
    private func ending() throws -> Ending? {
        var source = try LineSource(file, lengthMaximum: Self.lineMaximum)
        var (last, count): ([UInt8]?, Int) = (nil, 0)
        while let line = try source.line() { (last, count) = (line, count + 1) }
        guard let last, var reader = try? ObjectReader(parsing: last),
            let end = reader.optionalObject("end", { ExportEnd(&$0) })
        else { return nil }
        return Ending(line: count, end: end)
    }

    private func finding(_ ending: Ending) async throws -> Finding {
        var outside = outside
        if let note = ending.end.checkpoint {
            outside.append(
                try OutsideCheckpoint(
                    parsing: Array(note.utf8),
                    from: "the end of the file",
                    trusting: key,
                    published: nil
                )
            )
        }
        var verifier = EntryVerifier.deciding(rootsOf: Set(outside.map(\.size)))
        var source = try LineSource(file, lengthMaximum: Self.lineMaximum)
        for number in 1..<ending.line {
            guard let line = try source.line() else { break }
            do {
                try Self.take(line, &verifier)
            } catch let flaw as Flaw {
                return .broken(line: number, flaw.sentence)
            } catch let found as LogFlawFound {
                let earlier = await LogCheck.Finding(of: verifier, before: found, against: outside)
                guard case .broken(let position, let sentence) = earlier else {
                    return .broken(line: number, "\(found.flaw)")
                }
                return .broken(line: Int(position.rawValue), sentence)
            }
        }
        return try await finding(verifier, ending, outside)
    }

    private func finding(
        _ verifier: EntryVerifier,
        _ ending: Ending,
        _ outside: [OutsideCheckpoint]
    ) async throws -> Finding {
        var verifier = verifier
        do throws(LogFlawFound) {
            try verifier.end()
        } catch {
            return .broken(line: Int(error.position.rawValue), "\(error.flaw)")
        }
        let count = verifier.frontier.size
        guard ending.end.count == count, ending.end.last?.rawValue ?? 0 == Int64(count) else {
            return .broken(line: ending.line, "It says that other events stand before it.")
        }
        guard ending.end.position.rawValue == Int64(count) else {
            let sentence = "The record went to event \(ending.end.position); the file has \(count)."
            return .broken(line: ending.line, sentence)
        }
        if case .broken(let position, let sentence) = await LogCheck.Finding(
            of: verifier,
            against: outside
        ) {
            return .broken(line: Int(position.rawValue), sentence)
        }
        return .sound(
            events: count,
            root: "\(verifier.frontier.root.hash)",
            covered: outside.map(\.size).max()
        )
    }

    /// Takes the entry, and sees that the line says what it says.
    private static func take(_ line: [UInt8], _ verifier: inout EntryVerifier) throws {
        guard let said = try? JSONValue(parsing: line, limits: limits).object else {
            throw Flaw(sentence: "It is no event as JSON.")
        }
        guard let text = said["entry"]?.string, let entry = Data(base64Encoded: text) else {
            throw Flaw(
                sentence: "It has no entry; ask for the record with with=entries, or with"
                    + " plimsoll history --entries."
            )
        }
        guard said["position"]?.integer == verifier.next.rawValue else {
            throw Flaw(
                sentence: "Event \(verifier.next) has to stand here. Only a whole record, the"
                    + " oldest first, can be verified."
            )
        }
        let event = EventAnswer(try verifier.take(Array(entry))).json
        // As bytes: Swift takes two spellings of one letter for equal, and whoever searches does not.
        for member in entered
        where said[member]?.canonicalBytes() != event[member]?.canonicalBytes() {
            throw Flaw(sentence: "Its \(member) is not what its entry says.")
        }
    }

    private static let limits = JSONLimits(sizeMaximum: lineMaximum)

    /// What an entry says by itself; the rest follows from those before it.
    private static let entered = [
        "position", "id", "type", "stream", "revision", "recordedAt", "command", "data", "actor",
        "token", "request", "correlation", "causation", "reason",
    ]
}

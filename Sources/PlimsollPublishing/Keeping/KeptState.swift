import PlimsollDomain
package import PlimsollLog
import PlimsollStore

/// What the log came to at one of its events, as a program writes it down for its next start.
///
/// It decides nothing that the log does not: where anything does not fit, it is left alone and the
/// log is folded. Nobody but the very program that wrote it can read it.
package struct KeptState: Equatable, Sendable {
    /// The state with what it orders to be published.
    package let page: PublicationQueue.Page
    /// What the tree over the events so far grows from.
    package let frontier: MerkleFrontier
    /// The last of them.
    package let leaf: MerkleHash

    /// Takes a state at the end of an append, with the tree over all events so far.
    package init(_ page: PublicationQueue.Page, _ frontier: MerkleFrontier, leaf: MerkleHash) {
        precondition(
            frontier.size == Int(page.logState.position.rawValue),
            "the tree is over the events that were folded"
        )
        (self.page, self.frontier, self.leaf) = (page, frontier, leaf)
    }
}

/// What is signed by its hash.
private struct KeptContent: Codable {
    let page: PublicationQueue.Page
    let hashes: [UInt8]
}

extension KeptState {
    /// Far more than a log of a hundred million events comes to.
    package static let sizeMaximum = 4 << 30

    /// The note's text, a blank line and one signature.
    private static let noteLines = 9

    /// The state as a file has it: what the log's key says of it, and behind that the state itself.
    package func signed(by signer: LogSigner, program: MerkleHash) throws -> [UInt8] {
        let content = KeptContent(page: page, hashes: frontier.bytes)
        let bytes = try PlainForm.bytes(of: content)
        let note = KeptStateNote(
            origin: signer.origin,
            program: program,
            root: frontier.root,
            leaf: leaf,
            content: .leaf(bytes)
        )
        return try signer.vouch(for: note).bytes + bytes
    }

    /// Reads a file; refuses what the key has not signed, or another program has written.
    ///
    /// Whether it is of this log, the log itself has to say.
    package init(
        reading file: [UInt8],
        signedBy key: VerifierKey,
        program: MerkleHash
    ) throws(KeptStateRefusal) {
        guard let (head, bytes) = Self.parts(of: file),
            let note = KeptStateNote(parsing: head, signedBy: key)
        else { throw .notSigned }
        guard note.program == program else { throw .otherProgram }
        guard note.content == .leaf(bytes) else { throw .damaged }
        guard let content = try? PlainForm.value(KeptContent.self, of: bytes),
            let frontier = MerkleFrontier(size: note.root.size, bytes: content.hashes),
            frontier.root == note.root,
            content.page.logState.position.rawValue == Int64(note.root.size)
        else { throw .damaged }
        self.init(content.page, frontier, leaf: note.leaf)
    }

    private static func parts(of file: [UInt8]) -> (note: [UInt8], content: [UInt8])? {
        var rest = file[...]
        for _ in 0..<noteLines {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            rest = rest[(end + 1)...]
        }
        return (Array(file[..<rest.startIndex]), Array(rest))
    }
}

/// Why a state that was kept is not begun with.
package enum KeptStateRefusal: Error, Equatable, Sendable {
    /// Neither whole nor old: nothing of it can be believed.
    case notSigned
    /// Other bytes than were signed, or none that this program reads.
    case damaged
    /// Another version may mean something else by the same bytes.
    case otherProgram
    /// The log has no such event where the state ends.
    case otherLog(String)
    /// It is there and cannot be read.
    case unreadable(String)
}

extension KeptStateRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notSigned: "it is not signed by the log's key as this instance has it"
        case .damaged: "its bytes are not those that were signed"
        case .otherProgram: "another version of the program has written it"
        case .otherLog(let reason): "it is not of this log: \(reason)"
        case .unreadable(let reason): reason
        }
    }
}

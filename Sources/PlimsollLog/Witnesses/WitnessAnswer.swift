/// What a witness answers to an ``AddCheckpointRequest``.
package enum WitnessAnswer: Equatable, Sendable {
    /// The lines of the witness.
    case cosigned([NoteSignature])
    /// The witness has seen another size, or another root of that size; this is the size.
    case conflict(size: Int)
    case malformed(String)
    case unknownLog
    case notSigned
    case notConsistent

    /// The status of the response.
    package var status: Int {
        switch self {
        case .cosigned: 200
        case .malformed: 400
        case .notSigned: 403
        case .unknownLog: 404
        case .conflict: 409
        case .notConsistent: 422
        }
    }

    package var contentType: String {
        switch self {
        case .conflict: "text/x.tlog.size"
        default: "text/plain; charset=utf-8"
        }
    }

    /// The body of the response.
    package var body: [UInt8] {
        switch self {
        case .cosigned(let lines): lines.flatMap(\.line)
        case .conflict(let size): Array("\(size)\n".utf8)
        case .malformed(let sentence): Array("\(sentence)\n".utf8)
        case .notSigned: Array("The checkpoint is not signed by a key of that log.\n".utf8)
        case .unknownLog: Array("No log of that origin is watched here.\n".utf8)
        case .notConsistent: Array("The proof does not lead to both roots.\n".utf8)
        }
    }

    /// Reads a response; `nil` if no witness answers like that.
    package init?(status: Int, body: [UInt8]) {
        switch status {
        case 200:
            guard let lines = try? NoteSignature.parse(body) else { return nil }
            self = .cosigned(lines)
        case 400:
            guard let text = String(validating: body, as: UTF8.self) else { return nil }
            self = .malformed(text.last == "\n" ? String(text.dropLast()) : text)
        case 403: self = .notSigned
        case 404: self = .unknownLog
        case 409:
            var reader = LineReader(body)
            guard let size = reader.next().flatMap(Decimal.parse), reader.rest.isEmpty else {
                return nil
            }
            self = .conflict(size: size)
        case 422: self = .notConsistent
        default: return nil
        }
    }
}

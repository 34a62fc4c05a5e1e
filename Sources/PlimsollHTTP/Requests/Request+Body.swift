import Crypto
import Foundation
package import Hummingbird
package import NIOCore
import NIOHTTP1
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollStore

extension Request {
    func wholeBody() async throws -> ByteBuffer {
        try await wholeBody(upTo: RequestBodyLimit.bytesMaximum)
    }

    /// The whole body, within the limit; whatever keeps it from being read is the client's doing.
    package func wholeBody(upTo bytesMaximum: Int) async throws -> ByteBuffer {
        do {
            return try await body.collect(upTo: bytesMaximum)
        } catch HTTPParserError.invalidEOFState {
            throw Problem.bodyCutOff
        } catch is HTTPParserError {
            throw Problem.malformedFraming
        } catch let error where error is ChannelError || error is IOError {
            throw Problem.bodyCutOff
        }
    }
}

extension Problem {
    fileprivate static let malformedFraming = Problem(
        .malformedRequest,
        detail: "Where the body ends cannot be told.",
        errors: [
            Fault(
                at: nil,
                code: "framingMalformed",
                detail: "Content-Length, Transfer-Encoding or a chunk is not as HTTP/1.1 has it.",
                remedy: "Send the body with its Content-Length."
            )
        ]
    )

    fileprivate static let bodyCutOff = Problem(
        .malformedRequest,
        detail: "The connection ended in the body.",
        errors: [
            Fault(
                at: nil,
                code: "bodyCutOff",
                detail: "The body ended before it was whole.",
                remedy: "Send the request again, as a whole."
            )
        ]
    )
}

/// The place in a list where the next part begins, bound to the question that the list answers.
///
/// Opaque to callers. A cursor of one question is refused for another, because the place would
/// mean something else there.
struct Cursor: Equatable {
    let place: Int64
    private let question: String

    /// The question is everything that chooses and orders the list's members, but not how many of
    /// them come at a time.
    init(after place: Int64, of question: [String]) {
        self.place = place
        self.question = digest(of: question)
    }

    /// Reads a cursor if it belongs to the question.
    init?(_ text: String, of question: [String]) {
        guard text.utf8.count <= 128, let data = [UInt8](base64URL: text) else { return nil }
        let parts = String(decoding: data, as: UTF8.self).split(separator: ".")
        guard
            parts.count == 2, let place = Int64(parts[0]), place > 0,
            parts[1] == digest(of: question)
        else { return nil }
        self.init(after: place, of: question)
    }

    static let grammar = "what an earlier answer gave as next, with all other parameters the same"

    var text: String { Array("\(place).\(question)".utf8).base64URL }
}

private func digest(of question: [String]) -> String {
    let text = question.joined(separator: "\u{0}")
    return hexadecimal(SHA256.hash(data: Data(text.utf8)).prefix(8))
}

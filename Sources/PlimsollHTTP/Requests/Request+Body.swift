import Hummingbird
import NIOCore
import NIOHTTP1
import PlimsollAPI

extension Request {
    /// The whole body, within the limit; whatever keeps it from being read is the client's doing.
    func wholeBody() async throws -> ByteBuffer {
        do {
            return try await body.collect(upTo: RequestBodyLimit.bytesMaximum)
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

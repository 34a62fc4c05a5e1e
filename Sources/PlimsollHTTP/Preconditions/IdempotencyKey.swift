import HTTPTypes
import PlimsollAPI

/// The name that a caller gives a request, so that sending it twice does it once.
struct IdempotencyKey: Equatable {
    let text: String

    static let bytesMaximum = 255

    /// `nil` where the caller gave none.
    init?(_ headers: HTTPFields) throws(Problem) {
        let values = headers[values: .idempotencyKey]
        guard let text = values.first else { return nil }
        guard
            values.count == 1, (1...Self.bytesMaximum).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            let fault = Problem.Fault(
                at: .header("Idempotency-Key"),
                code: "keyWrong",
                detail: "The header is not one key of that form.",
                remedy: "A random UUID does."
            )
            throw Problem(
                .invalidHeader,
                detail: "Idempotency-Key needs to be 1 to \(Self.bytesMaximum) visible ASCII"
                    + " characters, once.",
                errors: [fault]
            )
        }
        self.text = text
    }
}

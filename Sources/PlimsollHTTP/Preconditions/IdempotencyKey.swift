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

/// What the caller says was asked under the key, where the body does not say it: a script that read
/// the present state first sends another body each time.
struct IdempotencyInput: Equatable {
    let text: String

    /// `nil` where the caller gave none.
    init?(_ headers: HTTPFields) throws(Problem) {
        let values = headers[values: .idempotencyInput]
        guard let text = values.first else { return nil }
        let isVisible = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard values.count == 1, isVisible, headers[.idempotencyKey] != nil,
            (1...IdempotencyKey.bytesMaximum).contains(text.utf8.count)
        else {
            let fault = Problem.Fault(
                at: .header("Idempotency-Input"),
                code: "inputWrong",
                detail: "The header is not one word of that form beside a key.",
                remedy: "A SHA-256 of what was asked does, beside an Idempotency-Key."
            )
            throw Problem(
                .invalidHeader,
                detail: "Idempotency-Input needs to be 1 to \(IdempotencyKey.bytesMaximum) visible"
                    + " ASCII characters, once, beside an Idempotency-Key.",
                errors: [fault]
            )
        }
        self.text = text
    }
}

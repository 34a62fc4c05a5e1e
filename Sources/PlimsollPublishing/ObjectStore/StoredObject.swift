import PlimsollAPI

/// An object as a store has it; asked for its head only, it has no body.
package struct StoredObject: Sendable {
    /// Its entity tag, quotes and all, which conditions name it by.
    package let tag: String
    package let body: [UInt8]
    private let answer: WebAnswer

    /// `nil` where the store does not say which version it is.
    init?(_ answer: WebAnswer) {
        guard let tag = answer.header("ETag") else { return nil }
        self.tag = tag
        body = answer.body
        self.answer = answer
    }

    package func header(_ name: String) -> String? { answer.header(name) }
}

/// An object as it is to be.
package struct NewObject: Sendable {
    package let body: [UInt8]
    package let mediaType: String
    package let cacheControl: String
    /// Headers that the store keeps with the body and answers with it.
    package let metadata: [(name: String, value: String)]

    package init(
        _ body: [UInt8],
        mediaType: String,
        cacheControl: String,
        metadata: [(name: String, value: String)] = []
    ) {
        self.body = body
        self.mediaType = mediaType
        self.cacheControl = cacheControl
        self.metadata = metadata
    }
}

/// What has to be so for an object to be written.
package enum PutCondition: Equatable, Sendable {
    /// There is nothing under its key.
    case absent
    /// What is there is still the version of this tag.
    case unchanged(tag: String)

    var header: (name: String, value: String) {
        switch self {
        case .absent: ("if-none-match", "*")
        case .unchanged(let tag): ("if-match", tag)
        }
    }
}

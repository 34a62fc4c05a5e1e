/// One thing to serve: a body with what its answers say about it.
package struct EdgeResource: Sendable {
    /// What phones check: the two fields that stand on every 200 and 304, or on none.
    package struct Signature: Equatable, Sendable {
        package let value: String
        package let date: String

        package init(value: String, date: String) {
            self.value = value
            self.date = date
        }
    }

    package let paths: [String]
    package let mediaType: String
    package let signature: Signature?
    package let body: [UInt8]

    /// Nil where a text could not stand in a head: the table would hand out broken answers.
    package init?(
        paths: [String],
        mediaType: String,
        signature: Signature?,
        body: [UInt8]
    ) {
        let texts = [mediaType, signature?.value ?? "-", signature?.date ?? "-"]
        guard
            texts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isFieldContent) }),
            paths.allSatisfy({ $0.hasPrefix("/") && $0.utf8.allSatisfy(ByteClass.target.contains) })
        else { return nil }
        self.paths = paths
        self.mediaType = mediaType
        self.signature = signature
        self.body = body
    }
}

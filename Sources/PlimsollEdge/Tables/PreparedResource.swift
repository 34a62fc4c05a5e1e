/// The answers of one resource, for each encoding one with the body and one without.
struct PreparedResource: Sendable {
    let tag: EntityTag
    /// In the order that ``answerNumber(gzip:notModified:)`` gives.
    let answers: [PreparedAnswer]

    static let answerCount = 4

    static func answerNumber(gzip: Bool, notModified: Bool) -> Int {
        (gzip ? 2 : 0) + (notModified ? 1 : 0)
    }

    init(
        _ resource: EdgeResource,
        cacheControl: String,
        encodings: [ContentEncoding] = ContentEncoding.allCases
    ) {
        precondition(
            !cacheControl.isEmpty && cacheControl.utf8.allSatisfy(\.isFieldContent),
            "Cache-Control is one line of text"
        )
        let tag = EntityTag(of: resource)
        let compressed = encodings.contains(.gzip) ? Gzip.compress(resource.body) : nil
        self.tag = tag
        answers = ContentEncoding.allCases.flatMap { encoding in
            // A body that gzip cannot shorten travels as it is, whatever was asked for.
            let encoding = compressed == nil ? .identity : encoding
            let common = Self.commonFields(resource, tag.fieldValue(encoding), cacheControl)
            let body = encoding == .gzip ? compressed ?? resource.body : resource.body
            let whole = Self.bodyFields(resource, body, encoding) + common
            return [
                PreparedAnswer(status: .ok, fields: whole, body: body),
                PreparedAnswer(status: .notModified, fields: common, body: []),
            ]
        }
    }

    private static func commonFields(
        _ resource: EdgeResource,
        _ tag: String,
        _ cacheControl: String
    ) -> [(String, String)] {
        var fields = [
            ("ETag", tag),
            ("Vary", "Accept-Encoding"),
            ("Cache-Control", cacheControl),
        ]
        if let signature = resource.signature {
            fields.append(("x-amz-meta-signature", signature.value))
            fields.append(("x-amz-meta-signature-date", signature.date))
        }
        return fields
    }

    private static func bodyFields(
        _ resource: EdgeResource,
        _ body: [UInt8],
        _ encoding: ContentEncoding
    ) -> [(String, String)] {
        var fields = [
            ("Content-Type", resource.mediaType),
            ("Content-Length", String(body.count)),
            ("X-Content-Type-Options", "nosniff"),
        ]
        if encoding == .gzip { fields.append(("Content-Encoding", "gzip")) }
        return fields
    }
}

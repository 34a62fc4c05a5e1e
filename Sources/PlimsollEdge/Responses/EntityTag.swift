import Crypto

/// What names one state of a document: it changes with the body and with the signature.
struct EntityTag: Equatable, Sendable {
    /// The part between the quotes, without what the encoding adds.
    private let opaque: [UInt8]

    private static let gzipSuffix = Array("-gzip".utf8)
    /// Of SHA-256: half of it is far more than chance or malice can repeat.
    private static let digestLength = 16

    init(of resource: EdgeResource) {
        var hash = SHA256()
        // Lengths keep apart what one field ends with and the next begins with.
        for part in [resource.signature?.value, resource.signature?.date, resource.mediaType] {
            let bytes = Array((part ?? "").utf8)
            hash.update(data: Array("\(bytes.count):".utf8))
            hash.update(data: bytes)
        }
        hash.update(data: resource.body)
        opaque = hash.finalize().prefix(Self.digestLength).flatMap { byte in
            [byte >> 4, byte & 0xF].map { $0 < 10 ? 0x30 + $0 : 0x57 + $0 }
        }
    }

    func fieldValue(_ encoding: ContentEncoding) -> String {
        let suffix = encoding == .gzip ? Self.gzipSuffix : []
        return "\"\(String(decoding: opaque + suffix, as: UTF8.self))\""
    }

    /// Whether the bytes are this tag's, in either encoding.
    func isNamed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count >= opaque.count else { return false }
        for index in opaque.indices where bytes[range.lowerBound + index] != opaque[index] {
            return false
        }
        let rest = range.lowerBound + opaque.count
        if rest == range.upperBound { return true }
        let suffix = Self.gzipSuffix
        guard range.upperBound - rest == suffix.count else { return false }
        for index in suffix.indices where bytes[rest + index] != suffix[index] { return false }
        return true
    }
}

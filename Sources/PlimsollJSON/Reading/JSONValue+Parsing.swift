extension JSONValue {
    /// Reads one value, strictly.
    ///
    /// Refused are duplicate members, numbers that are not whole, a byte order mark, anything but
    /// UTF-8, U+0000, unpaired surrogates, bytes behind the value, and what exceeds the limits.
    package init(
        parsing bytes: [UInt8],
        limits: JSONLimits = .default
    ) throws(JSONError) {
        self = try JSONValue(parsing: bytes.span, limits: limits)
    }

    /// Reads one value without copying the bytes first.
    package init(
        parsing bytes: Span<UInt8>,
        limits: JSONLimits = .default
    ) throws(JSONError) {
        guard bytes.count <= limits.sizeMaximum else {
            throw JSONError(.tooLarge(maximum: limits.sizeMaximum), at: limits.sizeMaximum)
        }
        var parser = JSONParser(limits: limits)
        self = try parser.document(bytes)
    }

    /// Reads one value and refuses it unless the bytes are exactly its canonical form.
    package init(
        parsingCanonical bytes: [UInt8],
        limits: JSONLimits = .default
    ) throws(JSONError) {
        self = try JSONValue(parsing: bytes.span, limits: limits)
        let canonical = canonicalBytes()
        guard canonical == bytes else {
            let offset = zip(canonical, bytes).prefix { $0 == $1 }.reduce(0) { sum, _ in sum + 1 }
            throw JSONError(.notCanonical, at: offset)
        }
    }
}

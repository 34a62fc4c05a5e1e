/// The path of a request target, wherever the target has one (RFC 9112, section 3.2).
enum RequestTarget {
    /// Nothing is decoded and nothing tidied up: `//`, `..` and `%2e` name no document of ours,
    /// so there is nothing they could be a second name for.
    static func path(
        _ bytes: Span<UInt8>,
        _ target: Range<Int>,
        method: RequestHead.Method
    ) throws(RequestRefusal) -> Range<Int> {
        try checkEscapes(bytes, target)
        // `OPTIONS *` and `CONNECT host:443` are well-formed; 405 is for somebody else to say.
        if bytes[target.lowerBound] == .slash || method == .other { return target }
        return try absolutePath(bytes, target)
    }

    /// The host that an absolute target names, which was well-formed.
    static func host(
        _ bytes: Span<UInt8>,
        _ target: Range<Int>,
        before path: Range<Int>
    ) -> Range<Int>? {
        guard path.lowerBound > target.lowerBound else { return nil }
        var index = target.lowerBound
        while bytes[index] != .colon { index += 1 }
        return index + 3..<path.lowerBound
    }

    private static func checkEscapes(
        _ bytes: Span<UInt8>,
        _ target: Range<Int>
    ) throws(RequestRefusal) {
        for index in target where bytes[index] == .percent {
            guard
                index + 2 < target.upperBound, bytes[index + 1].isHexDigit,
                bytes[index + 2].isHexDigit
            else { throw .malformed }
        }
    }

    /// `http://host/path`: servers must accept the form although only proxies are sent it.
    private static func absolutePath(
        _ bytes: Span<UInt8>,
        _ target: Range<Int>
    ) throws(RequestRefusal) -> Range<Int> {
        var index = target.lowerBound
        var scheme = PackedName()
        while index < target.upperBound, bytes[index] != .colon {
            scheme.append(bytes[index])
            index += 1
        }
        guard
            scheme == PackedName("http") || scheme == PackedName("https"),
            index + 3 < target.upperBound, bytes[index + 1] == .slash, bytes[index + 2] == .slash
        else { throw .malformed }
        index += 3
        let authority = index
        while index < target.upperBound, bytes[index] != .slash {
            guard ByteClass.host.contains(bytes[index]) else { throw .malformed }
            index += 1
        }
        guard index > authority else { throw .malformed }
        return index..<target.upperBound
    }
}

/// `If-None-Match` (RFC 9110, section 13.1.2), held against the tags of one document.
enum EntityTagCondition {
    /// Whether the value names the document: by `*`, or by a list with one of its tags in it.
    ///
    /// Tags compare weakly, as the RFC says for this field, and the tag of either encoding will
    /// do: the content is the same. A value that cannot be read matches nothing, so the client
    /// gets the whole document.
    static func matches(_ bytes: Span<UInt8>, _ value: Range<Int>, tag: EntityTag) -> Bool {
        if value.count == 1, bytes[value.lowerBound] == .asterisk { return true }
        var index = value.lowerBound
        while index < value.upperBound {
            if bytes[index].isBlank || bytes[index] == .comma {
                index += 1
                continue
            }
            if index + 1 < value.upperBound, bytes[index] == 0x57, bytes[index + 1] == .slash {
                index += 2
            }
            guard let opaque = quoted(bytes, index..<value.upperBound) else { return false }
            index = opaque.upperBound + 1
            while index < value.upperBound, bytes[index].isBlank { index += 1 }
            guard index == value.upperBound || bytes[index] == .comma else { return false }
            if tag.isNamed(bytes, opaque) { return true }
        }
        return false
    }

    /// What stands between the quotes that the range begins with.
    private static func quoted(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int>? {
        guard !range.isEmpty, bytes[range.lowerBound] == .quote else { return nil }
        var index = range.lowerBound + 1
        while index < range.upperBound {
            if bytes[index] == .quote { return range.lowerBound + 1..<index }
            guard bytes[index] > 0x20 else { return nil }
            index += 1
        }
        return nil
    }
}

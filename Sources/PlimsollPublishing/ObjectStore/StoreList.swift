/// A page of the keys that a store has, as it lists them in XML.
struct StoreList {
    /// Behind the prefix of the place.
    let keys: [String]
    /// What to ask for the next page with; `nil` where this is the last.
    let next: String?

    init(_ body: [UInt8], under prefix: String) {
        let text = String(decoding: body, as: UTF8.self)
        keys = Self.elements("Key", in: text).compactMap { key in
            key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : nil
        }
        let isTruncated = Self.elements("IsTruncated", in: text).first == "true"
        next = isTruncated ? Self.elements("NextContinuationToken", in: text).first : nil
    }

    /// What stands between the tags: no key of ours and no token has a letter that XML would write
    /// in another way, and whoever has one that does is left alone.
    private static func elements(_ name: String, in text: String) -> [String] {
        text.split(separator: "<\(name)>", omittingEmptySubsequences: false).dropFirst()
            .compactMap { part in
                part.firstRange(of: "</\(name)>").map { String(part[..<$0.lowerBound]) }
            }
    }
}

/// The name of a key in AWS KMS: `arn:aws:kms:eu-west-2:123456789012:key/` and a UUID.
///
/// The UUID is what phones know the key by: the id that they compare is the ARN cut off behind
/// `:key/`.
package struct KeyServiceName: Hashable, Sendable {
    package let text: String
    package let region: String
    package let keyID: KeyID

    package static let grammar =
        "the ARN of a KMS key whose id is a lower-case UUID, such as"
        + " arn:aws:kms:eu-west-2:123456789012:key/3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07"

    private static let partitions: Set<Substring> = ["aws", "aws-cn", "aws-us-gov"]
    private static let keyPrefix = "key/"

    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard
            parts.count == 6, parts[0] == "arn", Self.partitions.contains(parts[1]),
            parts[2] == "kms", Self.isRegion(parts[3]),
            parts[4].utf8.count == 12, parts[4].utf8.allSatisfy(Self.isDigit),
            parts[5].hasPrefix(Self.keyPrefix),
            let keyID = KeyID(String(parts[5].dropFirst(Self.keyPrefix.count)))
        else { return nil }
        self.text = text
        self.keyID = keyID
        region = String(parts[3])
    }

    /// Requests go to a host of this name, so it must not lead anywhere else.
    private static func isRegion(_ text: Substring) -> Bool {
        let words = text.split(separator: "-", omittingEmptySubsequences: false)
        return (3...4).contains(words.count) && text.utf8.count <= 32
            && words.dropLast().allSatisfy { word in
                !word.isEmpty && word.utf8.allSatisfy { (0x61...0x7A).contains($0) }
            }
            && words.last.map { $0.utf8.count == 1 && $0.utf8.allSatisfy(isDigit) } ?? false
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension KeyServiceName: CustomStringConvertible {
    package var description: String { text }
}

/// What stands in the line of a cosignature: when the checkpoint was seen, and the signature.
struct CosignatureStamp {
    let posixSeconds: Int
    let signature: ArraySlice<UInt8>

    static let timeByteCount = 8

    init?(_ bytes: [UInt8]) {
        guard bytes.count > Self.timeByteCount else { return nil }
        let time = bytes.prefix(Self.timeByteCount).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        guard let posixSeconds = Int(exactly: time) else { return nil }
        self.posixSeconds = posixSeconds
        signature = bytes.dropFirst(Self.timeByteCount)
    }

    static func bytes(posixSeconds: Int) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: posixSeconds >> $0) }
    }

    /// What a witness signs: never something that a log would sign.
    static func message(over text: [UInt8], posixSeconds: Int) -> [UInt8] {
        Array("cosignature/v1\ntime \(posixSeconds)\n".utf8) + text
    }
}

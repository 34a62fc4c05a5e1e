import Crypto

/// Four bytes that, with the name, tell which key a line of a note is by.
///
/// They are an index, not a proof: anybody can make another key with the same four.
package struct NoteKeyID: Hashable, Sendable {
    package let value: UInt32

    package init(_ value: UInt32) {
        self.value = value
    }

    /// The beginning of SHA-256 over name, newline, kind and public key.
    init(name: KeyName, kind: NoteKeyKind, publicKey: [UInt8]) {
        let named = name.bytes + [LineReader.newline, kind.rawValue] + publicKey
        self.init(bytes: Array(SHA256.hash(data: named)).prefix(4))
    }

    init(bytes: some Sequence<UInt8>) {
        value = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    var bytes: [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

extension NoteKeyID: CustomStringConvertible {
    /// 8 lower-case hexadecimal digits.
    package var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// What a key signs, as the byte in its encoded form says it.
package enum NoteKeyKind: UInt8, Hashable, Sendable {
    /// Ed25519 over the text of any note.
    case note = 0x01
    /// Ed25519 over the text of a checkpoint and the time at which it was seen.
    case cosignature = 0x04
}

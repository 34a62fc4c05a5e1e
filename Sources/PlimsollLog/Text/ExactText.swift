/// A text that is compared byte by byte, as signatures and addresses compare it.
///
/// Swift takes two spellings of one accented letter for equal; to a hash they are strangers.
struct ExactText: Hashable, Sendable {
    let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
}

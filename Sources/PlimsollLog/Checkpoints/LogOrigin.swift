/// Which log a checkpoint is of: the first line of every one.
///
/// Others may name theirs as they like. Ours is what a ``KeyName`` can be, and its key has that
/// name. Two origins are equal only if all their bytes are.
package struct LogOrigin: Hashable, Sendable {
    private let exact: ExactText

    /// Takes a line that is not empty and has no control characters.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x20 }) else { return nil }
        exact = ExactText(text)
    }

    /// The log that signs with the key of that name.
    package init(_ name: KeyName) {
        exact = ExactText(name.text)
    }

    package var text: String { exact.text }

    var bytes: [UInt8] { exact.bytes }
}

extension LogOrigin: CustomStringConvertible {
    package var description: String { text }
}

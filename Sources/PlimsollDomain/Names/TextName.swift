/// A name that is written as it is compared: its text stands for it everywhere.
package protocol TextName: Hashable, Sendable, CustomStringConvertible {
    var text: String { get }
}

extension TextName {
    package var description: String { text }
}

extension TextName where Self: Comparable {
    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

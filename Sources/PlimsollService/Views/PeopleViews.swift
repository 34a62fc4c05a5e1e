/// A part of a long list, and where the next part begins.
package struct Page<Element: Sendable, Cursor: Sendable>: Sendable {
    package let elements: [Element]
    /// `nil` where the list has come to its end.
    package let next: Cursor?

    package init(elements: [Element], next: Cursor?) {
        self.elements = elements
        self.next = next
    }
}

package import PlimsollDomain

/// A point in the life of the service, as a person names it.
package enum Moment: Equatable, Sendable {
    case live
    /// After the last whole append that ends at or before the event.
    case event(Position)
    case time(Instant)
}

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

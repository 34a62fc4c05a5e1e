/// One edit of a platform's list of offers; places are counted from 0.
///
/// Edits of one list follow each other: each speaks of the places that the ones before it leave.
package enum OfferEdit: Hashable, Sendable {
    /// Puts a whole list in the place of whatever stands there.
    case set([Offer])
    case insert(Offer, at: Int)
    case move(from: Int, to: Int)
    case replace(Int, with: Offer)
    case remove(Int)
}

/// An edit of a place that the list does not have.
package struct OfferPlaceMissing: Error, Equatable, Sendable {
    package let place: Int
    /// How many offers there are.
    package let count: Int

    package init(place: Int, count: Int) {
        (self.place, self.count) = (place, count)
    }
}

extension [Offer] {
    /// Makes the edit.
    ///
    /// A moved offer stands at the place it is moved to, afterwards.
    package mutating func apply(_ edit: OfferEdit) throws(OfferPlaceMissing) {
        try apply(edit) { offer, _ in offer }
    }
}

extension Array {
    /// Makes the edit where something stands for each offer, made of the offers that the edit
    /// brings and of which of these it is.
    mutating func apply(
        _ edit: OfferEdit,
        _ element: (Offer, Int) -> Element
    ) throws(OfferPlaceMissing) {
        switch edit {
        case .set(let offers): self = offers.enumerated().map { element($1, $0) }
        case .insert(let offer, let place):
            guard (0...count).contains(place) else { throw missing(place) }
            insert(element(offer, 0), at: place)
        case .move(let from, let to):
            try look(at: from)
            try look(at: to)
            insert(remove(at: from), at: to)
        case .replace(let place, let offer):
            try look(at: place)
            self[place] = element(offer, 0)
        case .remove(let place):
            try look(at: place)
            remove(at: place)
        }
    }

    private func look(at place: Int) throws(OfferPlaceMissing) {
        guard indices.contains(place) else { throw missing(place) }
    }

    private func missing(_ place: Int) -> OfferPlaceMissing {
        OfferPlaceMissing(place: place, count: count)
    }
}

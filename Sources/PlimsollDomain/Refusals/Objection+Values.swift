/// Objections that any request may meet.
extension Objection {
    package static var nothingChanges: Objection {
        Objection(
            .noOperation,
            "Everything is as this would make it already.",
            remedy: "There is nothing to do."
        )
    }

    package static func listEmpty(at pointer: Pointer) -> Objection {
        Objection(
            .invalid,
            at: pointer,
            "The list is empty; it needs at least one entry.",
            remedy: "Add an entry."
        )
    }

    package static func listTooLong(maximum: Int, at pointer: Pointer) -> Objection {
        let remedy =
            switch pointer {
            case "/operations": "Split it into several changes."
            case "/to": "Go back with everything: rollback to before the change."
            case "/rows":
                "Leave the rarest rows out; sent in parts, each would replace the one before."
            default: "Shorten it."
            }
        return Objection(
            .invalid,
            at: pointer,
            "The list is too long; at most \(maximum) are allowed.",
            remedy: remedy,
            subject: .moment
        )
    }

    package static func repeated(_ what: String, at pointer: Pointer) -> Objection {
        Objection(
            .invalid,
            at: pointer,
            "\(what) stands here for the second time.",
            remedy: "Leave one of them out."
        )
    }

    package static func numberOutside(_ range: ClosedRange<Int64>, at pointer: Pointer) -> Objection
    {
        Objection(
            .invalid,
            at: pointer,
            "The number has to lie from \(range.lowerBound) to \(range.upperBound).",
            remedy: "Choose a number in between."
        )
    }
}

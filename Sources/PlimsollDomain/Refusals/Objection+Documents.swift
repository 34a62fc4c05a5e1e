/// Objections to what a document would say.
extension Objection {
    package static func thresholdUnknown(
        _ platform: Platform,
        _ name: ThresholdName,
        at pointer: Pointer
    ) -> Objection {
        Objection(
            .invalid,
            at: pointer,
            "A document for \(platform.rawValue) has no threshold \(name.rawValue).",
            remedy: "Use a threshold that the platform has."
        )
    }

    package static func valueOfWrongKind(_ kind: VersionKind, at pointer: Pointer) -> Objection {
        Objection(
            .invalid,
            at: pointer,
            "The value needs to be \(kind.grammar).",
            remedy: "Write the value as the platform does."
        )
    }

    package static func textMissing(_ field: Field) -> Objection {
        Objection(
            .invalid,
            at: "/operations",
            "\(field) has no text, and the app requires that language.",
            remedy: "Add an operation setText for it."
        )
    }

    /// Phones take two languages of the document for one.
    package static func languagesAlike(_ platform: Platform, _ twins: LanguageTwins) -> Objection {
        Objection(
            .invalid,
            at: "/operations",
            "The document for \(platform.rawValue) would have texts in \(twins), which phones take"
                + " for one language: \(LanguageTwins.harm).",
            remedy:
                "Keep \(twins.first) or \(twins.second), and take every text away that is in the"
                + " other."
        )
    }

    /// What phones draw nothing for, where the language does not need it.
    package static func invisibleCharacter(_ fault: TextFault, at pointer: Pointer) -> Objection {
        Objection(
            .invalid,
            at: pointer,
            fault.sentence,
            remedy: "Leave the character out."
        )
    }

    package static func offerPlaceMissing(
        _ platform: Platform,
        _ missing: OfferPlaceMissing,
        at pointer: Pointer
    ) -> Objection {
        Objection(
            .invalid,
            at: pointer,
            missing.sentence(on: platform),
            remedy: "Read the document to see which offers there are.",
            subject: .moment
        )
    }

    package static func offerRefused(_ fault: OfferFault, at pointer: Pointer) -> Objection {
        Objection(
            .invalid,
            at: pointer,
            fault.finding,
            remedy: fault.remedy,
            subject: .moment
        )
    }

    package static func offersTooLarge(_ platform: Platform, at pointer: Pointer) -> Objection {
        Objection(
            .invalid,
            at: pointer,
            "The offers of \(platform.rawValue) take more than \(Offer.weightMaximum) bytes.",
            remedy: "Shorten their metadata, or leave offers out.",
            subject: .moment
        )
    }
}

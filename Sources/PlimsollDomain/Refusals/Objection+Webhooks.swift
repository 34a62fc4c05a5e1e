/// Objections to webhooks.
extension Objection {
    package static func webhookUnknown(_ id: WebhookID) -> Objection {
        Objection(
            .unknown,
            "There is no webhook \(id).",
            remedy: "List the webhooks to see what there is."
        )
    }

    /// Those of an app, or all there are.
    package static func webhooksFull(_ scope: Scope, maximum: Int) -> Objection {
        let detail =
            switch scope {
            case .all: "There are \(maximum) webhooks, and may be no more."
            case .app(let slug):
                "There are \(maximum) webhooks of the app \(slug), and may be no more."
            }
        return Objection(
            .conflict,
            detail,
            remedy: "Remove one that is not needed any more."
        )
    }

    /// Why events cannot be sent there.
    package static func placeRefused(_ cause: String, at pointer: Pointer) -> Objection {
        Objection(
            .invalid,
            at: pointer,
            "Events are not sent there: \(cause).",
            remedy:
                "Name a place that anybody on the Internet can reach, or have the operator allow"
                + " it."
        )
    }

    package static func typeUnknown(_ type: EventName, at pointer: Pointer) -> Objection {
        Objection(
            .invalid,
            at: pointer,
            "There are no events of the type \(type.text).",
            remedy: "Look into the history, or the reference, to see which there are."
        )
    }
}

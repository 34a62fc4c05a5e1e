/// A stream of the log: the events that one thing has lived through, in order.
package enum StreamName: Hashable, Sendable {
    /// Principals, tokens and roles.
    case access
    /// One app: its settings and its documents.
    case app(AppSlug)
    /// One change, from proposal to its end.
    case change(ChangeID)
    /// What was published of one app.
    case export(AppSlug)
    /// Signing keys.
    case keys
    /// What holds for the whole service.
    case service
    /// Where events are sent to.
    case webhooks

    /// Reads what ``text`` gives.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.count) {
        case ("access", 1): self = .access
        case ("keys", 1): self = .keys
        case ("service", 1): self = .service
        case ("webhooks", 1): self = .webhooks
        case ("app", 2):
            guard let slug = AppSlug(parts[1]) else { return nil }
            self = .app(slug)
        case ("change", 2):
            guard let id = ChangeID(parts[1]) else { return nil }
            self = .change(id)
        case ("export", 2):
            guard let slug = AppSlug(parts[1]) else { return nil }
            self = .export(slug)
        default: return nil
        }
    }

    package var text: String {
        switch self {
        case .access: "access"
        case .app(let slug): "app/\(slug)"
        case .change(let id): "change/\(id)"
        case .export(let slug): "export/\(slug)"
        case .keys: "keys"
        case .service: "service"
        case .webhooks: "webhooks"
        }
    }
}

extension StreamName: CustomStringConvertible {
    package var description: String { text }
}

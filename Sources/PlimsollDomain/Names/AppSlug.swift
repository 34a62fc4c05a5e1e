/// The name of an app in addresses and streams: `covid19`.
///
/// Lower-case letters, digits and inner hyphens, 1 to 63 of them, beginning with a letter;
/// `keys` and `log` are taken by the public addresses.
package struct AppSlug: Codable, Comparable, TextName {
    package let text: String

    package static let reserved: Set<String> = ["keys", "log"]
    package static let grammar =
        "1 to 63 lower-case letters, digits or inner hyphens, beginning with a letter, but not keys"
        + " or log"

    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard
            (1...63).contains(bytes.count), !AppSlug.reserved.contains(text),
            let first = bytes.first, isLowercaseLetter(first), bytes.last != 0x2D,
            bytes.allSatisfy({ isLowercaseLetter($0) || isDigit($0) || $0 == 0x2D })
        else { return nil }
        self.text = text
    }
}

/// What an app runs on.
package enum Platform: String, Codable, Hashable, CaseIterable, Sendable {
    case android
    case ios
    /// Served with Prince of Versions only: there is no availability document for it.
    case jvm
    case macos

    /// The thresholds that an availability document of this platform has, in document order.
    package var thresholds: [ThresholdName] {
        switch self {
        case .ios, .macos: [.minimumOS, .recommendedOS, .minimumApp, .recommendedApp]
        case .android: [.minimumOS, .minimumApp, .recommendedApp]
        case .jvm: []
        }
    }

    package var versionKind: VersionKind {
        switch self {
        case .ios, .macos, .jvm: .dotted
        case .android: .integer
        }
    }
}

extension Platform: Comparable {
    package static func < (left: Platform, right: Platform) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A stream of the log: the events that one thing has lived through, in order.
package enum StreamName: Codable, TextName {
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

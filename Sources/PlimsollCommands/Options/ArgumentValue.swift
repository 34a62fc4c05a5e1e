import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// A value that an argument of a command gives; where it does not, the error says what it needs to be.
///
/// The parser's own `ExpressibleByArgument` is for whole numbers, and for what is one of a few words,
/// which it lists.
protocol ArgumentValue: Sendable {
    /// `nil`, or an error where more is to be said than the grammar.
    init?(argument: String) throws

    /// Completes "It needs to be …".
    static var grammar: String { get }
}

extension ArgumentValue {
    @Sendable fileprivate static func reading(_ argument: String) throws -> Self {
        guard let value = try Self(argument: argument) else {
            throw ValidationError("It needs to be \(grammar).")
        }
        return value
    }
}

extension Option {
    init(name: NameSpecification = .long, help: ArgumentHelp? = nil) where Value: ArgumentValue {
        self.init(name: name, help: help, transform: Value.reading)
    }

    init<Element: ArgumentValue>(name: NameSpecification = .long, help: ArgumentHelp? = nil)
    where Value == Element? {
        self.init(name: name, help: help, transform: Element.reading)
    }

    init<Element: ArgumentValue>(
        name: NameSpecification = .long,
        parsing: ArrayParsingStrategy,
        help: ArgumentHelp? = nil
    ) where Value == [Element] {
        self.init(name: name, parsing: parsing, help: help, transform: Element.reading)
    }

    init<Element: ArgumentValue>(
        wrappedValue: [Element],
        name: NameSpecification = .long,
        parsing: ArrayParsingStrategy = .singleValue,
        help: ArgumentHelp? = nil
    ) where Value == [Element] {
        self.init(
            wrappedValue: wrappedValue,
            name: name,
            parsing: parsing,
            help: help,
            transform: Element.reading
        )
    }
}

extension Argument {
    init(help: ArgumentHelp? = nil) where Value: ArgumentValue {
        self.init(help: help, transform: Value.reading)
    }

    init<Element: ArgumentValue>(help: ArgumentHelp? = nil) where Value == Element? {
        self.init(help: help, transform: Element.reading)
    }

    init<Element: ArgumentValue>(wrappedValue: [Element], help: ArgumentHelp? = nil)
    where Value == [Element] {
        self.init(wrappedValue: wrappedValue, help: help, transform: Element.reading)
    }
}

// MARK: - Values of the domain, written as everywhere else

extension AppSlug: ArgumentValue {
    init?(argument: String) { self.init(argument) }
}

extension Position: ArgumentValue {
    init?(argument: String) {
        guard let number = Int64(argument) else { return nil }
        self.init(rawValue: number)
    }
}

extension SnapshotSequence: ArgumentValue {
    init?(argument: String) {
        guard let number = Int64(argument) else { return nil }
        self.init(rawValue: number)
    }
}

extension Field: ArgumentValue {
    init?(argument: String) { self.init(path: argument) }
}

extension LanguageTag: ArgumentValue {
    init?(argument: String) { self.init(argument) }
}

extension ChangeID: ArgumentValue {
    init?(argument: String) { self.init(argument) }
}

extension ChangeDigest: ArgumentValue {
    init?(argument: String) { self.init(hex: argument) }
}

extension WebhookURL: ArgumentValue {
    init?(argument: String) { self.init(argument) }
}

extension EventName: ArgumentValue {
    init?(argument: String) { self.init(argument) }
}

extension EnvironmentName: ArgumentValue {
    init?(argument: String) { self.init(argument) }
}

extension KeyServiceName: ArgumentValue {
    init?(argument: String) { self.init(argument) }
}

extension Duration: ArgumentValue {
    static let grammar = "a time such as 500ms, 30s, 5m, 12h or 30d"

    init?(argument: String) { self.init(written: argument) }
}

extension WrittenTime: ArgumentValue {
    init?(argument: String) { self.init(argument) }
}

extension ZoneClock: ArgumentValue {
    static let grammar = TimeZoneName.grammar

    init?(argument: String) {
        guard let name = TimeZoneName(argument) else { return nil }
        self.init(name)
    }
}

// MARK: - Ids

extension KeyID: ArgumentValue {
    static let grammar = "a lower-case UUID; plimsoll keys list shows those there are"

    init?(argument: String) { self.init(argument) }
}

extension PrincipalID: ArgumentValue {
    static let grammar = "a principal's id, as plimsoll principal list shows it"

    init?(argument: String) { self.init(argument) }
}

extension SessionID: ArgumentValue {
    static let grammar = "a session's id, as plimsoll session list shows it"

    init?(argument: String) { self.init(argument) }
}

extension TokenID: ArgumentValue {
    static let grammar = "a token's id, as plimsoll token list shows it"

    init?(argument: String) { self.init(argument) }
}

extension WebhookID: ArgumentValue {
    static let grammar = "a webhook's id, as plimsoll webhook list shows it"

    init?(argument: String) { self.init(argument) }
}

extension EntryKeyID: ArgumentValue {
    init?(argument: String) { self.init(argument) }
}

// MARK: - Marketplaces

extension AppleItemID: ArgumentValue {
    init?(argument: String) { self.init(argument) }
}

extension AppleVersionID: ArgumentValue {
    init?(argument: String) { self.init(argument) }
}

extension AppleVersion: ArgumentValue {
    init?(argument: String) { self.init(argument) }
}

extension BundleID: ArgumentValue {
    init?(argument: String) { self.init(argument) }
}

extension PackageID: ArgumentValue {
    init?(argument: String) { self.init(argument) }
}

extension PackagePlatform: ArgumentValue {
    init?(argument: String) { self.init(argument) }
}

extension ManifestDigest: ArgumentValue {
    init?(argument: String) { self.init(hex: argument) }
}

extension EndpointURL: ArgumentValue {
    init?(argument: String) { self.init(argument) }
}

extension DomainName: ArgumentValue {
    init?(argument: String) { self.init(argument) }
}

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

/// A value that is written in an argument as it is anywhere else.
protocol TextArgumentValue: ArgumentValue {
    init?(_ text: String)
}

extension TextArgumentValue {
    init?(argument: String) { self.init(argument) }
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

// MARK: - Values of the domain

extension AppSlug: TextArgumentValue {}

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

extension LanguageTag: TextArgumentValue {}
extension ChangeID: TextArgumentValue {}

extension ChangeDigest: ArgumentValue {
    init?(argument: String) { self.init(hex: argument) }
}

extension WebhookURL: TextArgumentValue {}
extension EventName: TextArgumentValue {}
extension EnvironmentName: TextArgumentValue {}
extension KeyServiceName: TextArgumentValue {}

extension Duration: ArgumentValue {
    static let grammar = "a time such as 500ms, 30s, 5m, 12h or 30d"

    init?(argument: String) { self.init(written: argument) }
}

extension WrittenTime: TextArgumentValue {}

extension ZoneClock: ArgumentValue {
    static let grammar = TimeZoneName.grammar

    init?(argument: String) {
        guard let name = TimeZoneName(argument) else { return nil }
        self.init(name)
    }
}

// MARK: - Ids

extension KeyID: TextArgumentValue {
    static let grammar = "a lower-case UUID; plimsoll keys list shows those there are"
}

extension PrincipalID: TextArgumentValue {
    static let grammar = "a principal's id, as plimsoll principal list shows it"
}

extension SessionID: TextArgumentValue {
    static let grammar = "a session's id, as plimsoll session list shows it"
}

extension TokenID: TextArgumentValue {
    static let grammar = "a token's id, as plimsoll token list shows it"
}

extension WebhookID: TextArgumentValue {
    static let grammar = "a webhook's id, as plimsoll webhook list shows it"
}

extension EntryKeyID: TextArgumentValue {}

// MARK: - Marketplaces

extension AppleItemID: TextArgumentValue {}
extension AppleVersionID: TextArgumentValue {}
extension AppleVersion: TextArgumentValue {}
extension BundleID: TextArgumentValue {}
extension PackageID: TextArgumentValue {}
extension PackagePlatform: TextArgumentValue {}

extension ManifestDigest: ArgumentValue {
    init?(argument: String) { self.init(hex: argument) }
}

extension EndpointURL: TextArgumentValue {}
extension DomainName: TextArgumentValue {}

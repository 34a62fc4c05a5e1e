import ArgumentParser
import PlimsollDomain

/// Who reads an app's documents.
struct ReaderOptions: ParsableArguments {
    @Option(
        name: .customLong("ships-with"),
        parsing: .singleValue,
        help: "A language that the app itself is made in, of all there are; may be repeated."
    )
    private var shipped: [LanguageTag] = []
    @Option(
        name: .customLong("read-by"),
        parsing: .singleValue,
        help: ArgumentHelp(
            "Shipped apps that people have, such as nhs-ios-3.0, of all there are; may be repeated;"
                + " none for none of them, all for every one that is known.",
            valueName: "client"
        )
    )
    private var readers: [ReaderArgument] = []

    var isEmpty: Bool { shipped.isEmpty && readers.isEmpty }

    var shippedLanguages: [LanguageTag]? { shipped.isEmpty ? nil : shipped }

    /// What is said, or what there was where nothing is.
    func clients(keeping clients: [ClientGeneration]?) -> [ClientGeneration]? {
        guard !readers.isEmpty else { return clients }
        guard !readers.contains(.all) else { return nil }
        return readers.compactMap { reader in
            if case .generation(let generation) = reader { generation } else { nil }
        }
    }

    func validate() throws {
        if readers.count > 1, readers.contains(.all) || readers.contains(.none) {
            throw ValidationError("--read-by all and --read-by none leave no room for others.")
        }
    }
}

/// A client by its name, or a word for all or none of them.
private enum ReaderArgument: Equatable, ExpressibleByArgument {
    case all
    case none
    case generation(ClientGeneration)

    init?(argument: String) {
        switch argument {
        case "all": self = .all
        case "none": self = .none
        default:
            guard let generation = ClientGeneration(argument) else { return nil }
            self = .generation(generation)
        }
    }
}

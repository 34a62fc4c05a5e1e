import ArgumentParser
import PlimsollDocuments
import PlimsollDomain

/// Whose reading of a document is simulated.
enum SimulatedClient: ExpressibleByArgument {
    /// Apps that link our own client, on whichever platform.
    case own
    /// Apps that read availability documents.
    case generation(ClientGeneration)
    /// A library that reads what Prince of Versions is told.
    case prince(PrinceClient)

    init?(argument: String) {
        if argument == "plimsoll" {
            self = .own
        } else if let generation = ClientGeneration(argument) {
            self = .generation(generation)
        } else if let prince = PrinceClient(rawValue: argument) {
            self = .prince(prince)
        } else {
            return nil
        }
    }

    var name: String {
        switch self {
        case .own: "plimsoll"
        case .generation(let generation): generation.name
        case .prince(let client): client.rawValue
        }
    }

    static var allValueStrings: [String] {
        ["plimsoll"] + ClientGeneration.all.map(\.name) + PrinceClient.allValueStrings
    }
}

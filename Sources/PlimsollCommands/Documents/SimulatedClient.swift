import ArgumentParser
import PlimsollDocuments
import PlimsollDomain

/// Whose reading of a document is simulated.
enum SimulatedClient: ExpressibleByArgument {
    /// Apps that read availability documents.
    case generation(ClientGeneration)
    /// A library that reads what Prince of Versions is told.
    case prince(PrinceClient)

    init?(argument: String) {
        if let generation = ClientGeneration(argument) {
            self = .generation(generation)
        } else if let prince = PrinceClient(rawValue: argument) {
            self = .prince(prince)
        } else {
            return nil
        }
    }

    var name: String {
        switch self {
        case .generation(let generation): generation.name
        case .prince(let client): client.rawValue
        }
    }

    static var allValueStrings: [String] {
        ClientGeneration.all.map(\.name) + PrinceClient.allValueStrings
    }
}

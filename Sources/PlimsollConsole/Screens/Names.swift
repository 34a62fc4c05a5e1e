import PlimsollAPI
import PlimsollDomain

/// What people are called, as far as the reader may know.
struct Names {
    private let names: [PrincipalID: String]

    init(_ names: [PrincipalID: String]) { self.names = names }

    /// The name, or the beginning of the id where it is not known or was erased.
    func callAsFunction(_ principal: PrincipalID) -> String {
        if principal == .system { return "plimsoll" }
        return names[principal] ?? String(principal.text.prefix(8))
    }

    func lacks(_ principal: PrincipalID) -> Bool { names[principal] == nil }

    /// All that are known, by what they are called.
    var all: [(id: PrincipalID, name: String)] {
        names.map { (id: $0.key, name: $0.value) }
            .sorted { ($0.name, $0.id.text) < ($1.name, $1.id.text) }
    }

    /// A sentence of the record, with names in the place of the ids of those who are known.
    func naming(in sentence: String) -> String {
        sentence.naming { names[$0] }
    }
}

extension Visit {
    func names() async throws -> Names {
        let list = try await rest.call(Endpoints.listPrincipals)
        let named = list.principals.compactMap { person in person.name.map { (person.id, $0) } }
        return Names(Dictionary(named) { first, _ in first })
    }
}

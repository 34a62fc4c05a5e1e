import PlimsollAPI
import PlimsollDomain

/// The names of principals, as far as the caller may know them.
struct People {
    private var names: [PrincipalID: String] = [:]

    /// Nobody's name.
    init() {}

    /// Names are a convenience: where they cannot be had, ids are shown.
    init(_ client: AdminClient) async {
        let principals = (try? await client.principals())?.principals ?? []
        for principal in principals { names[principal.id] = principal.name }
    }

    func name(_ id: PrincipalID) -> String {
        if id == .system { return "plimsoll" }
        return names[id].map { excerpt($0, 24) } ?? id.text
    }

    /// A sentence of the record, with names in place of the ids of those who are known.
    func naming(in sentence: String) -> String {
        names.reduce(sentence) { sentence, known in
            sentence.replacing(known.key.text, with: excerpt(known.value, 24))
        }
    }

    /// The principals that the text names, by name or by id.
    func principals(named text: String) -> [PrincipalID] {
        if let id = PrincipalID(text) { return [id] }
        return names.filter { $0.value == text }.map(\.key).sorted { $0.text < $1.text }
    }
}

extension Output {
    /// The names that a table shows; JSON has ids, so nobody is asked for names there.
    func people(_ client: AdminClient) async -> People {
        format == .table ? await People(client) : People()
    }
}

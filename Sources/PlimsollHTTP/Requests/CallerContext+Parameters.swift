import Hummingbird
import PlimsollAPI
import PlimsollDomain

/// The names in an address. One that cannot be a name is the name of nothing, so it is not found.
extension CallerContext {
    func app() throws(Problem) -> AppSlug {
        try name("app", AppSlug.init)
    }

    func platform() throws(Problem) -> Platform {
        try name("platform", Platform.init(rawValue:))
    }

    func change() throws(Problem) -> ChangeID {
        try name("change", ChangeID.init)
    }

    func token() throws(Problem) -> TokenID {
        try name("token", TokenID.init)
    }

    func key() throws(Problem) -> KeyID {
        try name("key", KeyID.init)
    }

    func principal() throws(Problem) -> PrincipalID {
        try name("principal", PrincipalID.init)
    }

    func webhook() throws(Problem) -> WebhookID {
        try name("webhook", WebhookID.init)
    }

    func position() throws(Problem) -> Position {
        try name("position") { Int64($0).flatMap(Position.init(rawValue:)) }
    }

    func version(_ kind: VersionKind) throws(Problem) -> VersionValue {
        try name("version") { VersionValue(text: $0, kind) }
    }

    private func name<Value>(
        _ parameter: String,
        _ make: (String) -> Value?
    ) throws(Problem) -> Value {
        if let value = parameters.get(parameter).flatMap(make) { return value }
        let fault = Problem.Fault(
            at: .parameter(parameter),
            code: "\(parameter)Unknown",
            detail: "The address names no \(parameter) that could exist."
        )
        throw Problem(.notFound, detail: fault.detail, errors: [fault])
    }
}

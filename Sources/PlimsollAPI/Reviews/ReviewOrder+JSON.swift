import PlimsollDomain
import PlimsollJSON

extension ReviewOrder {
    init?(_ reader: inout ObjectReader) {
        let owner = reader.principal("owner")
        let role = reader.name("role", as: Role.self)
        let due = reader.instant("due")
        guard let owner, let role, let due else { return nil }
        self.init(owner: owner, role: role, due: due)
    }
}

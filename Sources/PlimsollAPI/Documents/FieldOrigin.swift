package import PlimsollDomain
import PlimsollJSON

/// Who wrote what stands in a field, who approved it, in which change, and why.
package struct FieldOrigin: Equatable, Sendable {
    /// Who proposed the change, or did it where there is none.
    package let author: PrincipalID
    /// Empty where nobody had to approve, as with a rollback.
    package let approvers: [PrincipalID]
    /// `nil` where nobody proposed it, as with a rollback.
    package let change: ChangeID?
    package let reason: String?
    /// What it was an emergency in, where it was one.
    package let incident: String?

    package init(
        author: PrincipalID,
        approvers: [PrincipalID],
        change: ChangeID?,
        reason: String?,
        incident: String? = nil
    ) {
        (self.author, self.approvers) = (author, approvers)
        (self.change, self.reason, self.incident) = (change, reason, incident)
    }

    /// How it came about, which says who had to approve it.
    package enum Kind: String, CaseIterable, Sendable {
        case change
        case emergency
        case rollback
    }

    package var kind: Kind {
        if incident != nil { return .emergency }
        return change == nil ? .rollback : .change
    }

    init?(_ reader: inout ObjectReader) {
        let author = reader.principal("author")
        let approvers = reader.strings("approvers", needing: "a principal's id", PrincipalID.init)
        let change = reader.optionalString("change", needing: ChangeID.grammar, ChangeID.init)
        let reason = reader.optionalString("reason")
        // Programs before this one did not say it.
        let incident = reader.value("incident") == nil ? nil : reader.optionalString("incident")
        guard let author, let approvers else { return nil }
        self.init(
            author: author,
            approvers: approvers,
            change: change,
            reason: reason,
            incident: incident
        )
    }

    func write(to json: inout JSONObject) {
        json["author"] = .string(author.text)
        json["approvers"] = .array(approvers.map { .string($0.text) })
        json["change"] = JSONValue(change?.description)
        json["reason"] = JSONValue(reason)
        json["kind"] = .string(kind.rawValue)
        json["incident"] = JSONValue(incident)
    }
}

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

    package init(
        author: PrincipalID,
        approvers: [PrincipalID],
        change: ChangeID?,
        reason: String?
    ) {
        (self.author, self.approvers) = (author, approvers)
        (self.change, self.reason) = (change, reason)
    }

    init?(_ reader: inout ObjectReader) {
        let author = reader.principal("author")
        let approvers = reader.strings("approvers", needing: "a principal's id", PrincipalID.init)
        let change = reader.optionalString("change", needing: ChangeID.grammar, ChangeID.init)
        let reason = reader.optionalString("reason")
        guard let author, let approvers else { return nil }
        self.init(author: author, approvers: approvers, change: change, reason: reason)
    }

    func write(to json: inout JSONObject) {
        json["author"] = .string(author.text)
        json["approvers"] = .array(approvers.map { .string($0.text) })
        json["change"] = JSONValue(change?.description)
        json["reason"] = JSONValue(reason)
    }
}

import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollDocuments

@Suite struct ChangeProofTests {
    @Test func `a field that stands twice in what was signed has no value`() throws {
        let field = Field(.ios, .minimumApp, .value)
        let effect = ["3.2.0", "3.3.0"].map {
            FieldChange(field: field, before: nil, after: .version(dotted($0)))
        }
        for count in 1...2 {
            let content = ChangeContent(
                app: harbour,
                operations: [],
                schedule: nil,
                effect: Array(effect.prefix(count))
            )
            let proof = ChangeProof(
                id: .first,
                content: content,
                digest: ChangeDigest(of: content),
                lastWriting: [field],
                approvals: []
            )
            let value = try #require(proof).values[field]
            let expected = count == 1 ? FieldValue.version(dotted("3.2.0")) : nil
            #expect(value == expected)
        }
    }
}

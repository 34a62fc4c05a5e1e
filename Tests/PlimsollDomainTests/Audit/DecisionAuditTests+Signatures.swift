import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

extension DecisionAuditTests {
    // Goal: whoever can write events as the service does cannot approve for somebody who signs.
    // Method: approvals under a policy that counts signed ones alone, and the whole log again.
    @Test mutating func `an approval that its approver did not sign is named, whoever wrote it`()
        throws
    {
        let key = try testKey("A")
        try perform(AddPersonKey(key, of: bob.principal, reason: nil, by: .system), service)
        let asked = ApprovalRequirement(2, of: .approver, signedBy: .person)
        let policy = Policy(rules: [.raiseMinimum: ApprovalRule(requirements: [asked])])
        record([(.app(harbour), .app(.policyChanged(policy)))], service)
        try propose("15.0")
        let statement = ApprovalStatement(
            app: harbour,
            change: .first,
            digest: try hash(of: .first),
            approver: bob.principal,
            signedAt: now
        )
        let good = testSignature(of: statement, with: key)
        let other = PersonSignature(key: key, signedAt: now, value: String(good.value.reversed()))
        let expected: [(PersonSignature?, UnfoundedEvent.Reason?)] = [
            (good, nil),
            (nil, .refused(Refusal(.signatureNeeded(.first)))),
            (other, .refused(Refusal(.signatureRefused(.anotherStatement)))),
        ]
        for (signature, reason) in expected {
            var history = self
            let event = ChangeEvent.changeApproved(
                digest: statement.digest,
                comment: nil,
                signature: signature
            )
            history.record([(.change(.first), .change(event))], bob.origin)
            #expect(history.doubt()?.reason == reason)
        }
        // A token beside the approval does not move the time that the signature is held against.
        let token = sampleToken(of: bob.principal)
        let approval = ChangeEvent.changeApproved(
            digest: statement.digest,
            comment: nil,
            signature: good
        )
        record(
            [(.change(.first), .change(approval)), (.access, .access(.tokenIssued(token)))],
            bob.origin
        )
        #expect(doubt()?.position == logState.position)
        #expect(doubt()?.reason == .another)
    }
}

import ArgumentParser
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollServer

extension SignedFields {
    var json: JSONValue {
        [
            "signed": .array(signed.map { .object($0.json) }),
            "unsigned": .array(unsigned.map { .string($0.path) }),
        ]
    }

    /// Who signed what, if anybody did, and what nobody signed.
    var blocks: [Report.Block] {
        var blocks = signed.flatMap(\.blocks)
        if !signed.isEmpty, !unsigned.isEmpty {
            let fields = unsigned.map(\.path).joined(separator: ", ")
            blocks.append(.unchecked("who decided on \(fields): no person signed it"))
        }
        return blocks
    }

    /// Refuses what fewer persons signed.
    fileprivate func require(_ persons: Int) throws {
        let few = fields(signedByFewerThan: persons)
        guard few.isEmpty else {
            throw Failure(
                .verificationFailed,
                "Not all of it is signed by \(persons == 1 ? "a person" : "\(persons) persons").",
                checks: few.map { field in
                    Failure.Check(detail: "\(field.path) is not.", remedy: nil)
                }
            )
        }
    }
}

extension SignedFields.Signed {
    fileprivate var json: JSONObject {
        [
            "change": .string("\(change.id)"),
            "fields": .array(fields.map { .string($0.path) }),
            "persons": .array(
                change.approvals.map { approval in
                    [
                        "by": .string(approval.by.text),
                        "fingerprint": .string(approval.signature.key.fingerprint),
                        "key": .string(approval.signature.key.text),
                        "signedAt": .string(approval.signature.signedAt.rfc3339),
                    ]
                }
            ),
        ]
    }

    fileprivate var blocks: [Report.Block] {
        let persons = change.signers == 1 ? "1 person" : "\(change.signers) persons"
        let fields = fields.map(\.path).joined(separator: ", ")
        return [.check(passed: true, "\(persons) signed change \(change.id): \(fields)")]
            + change.approvals.map { approval in
                .line(
                    "   \(approval.by) at \(approval.signature.signedAt), with"
                        + " \(approval.signature.key.fingerprint)"
                )
            }
    }
}

/// How many persons have to have signed what is published.
struct PersonsOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Refuse documents of which anything was signed by fewer persons.",
            valueName: "count"
        )
    )
    var persons: Int?

    func validate() throws {
        guard let persons else { return }
        guard persons > 0, persons <= ApprovalRequirement.countMaximum else {
            throw ValidationError(
                "--persons needs a number from 1 to \(ApprovalRequirement.countMaximum)."
            )
        }
    }

    func check(_ finding: SnapshotCheck.Finding) throws {
        if let persons { try finding.signedFields.require(persons) }
    }
}

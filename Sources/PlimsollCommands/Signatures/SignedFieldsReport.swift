import ArgumentParser
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollServer

extension SignedFields {
    private var signed: [(change: ChangeProof, fields: [Field])] {
        Dictionary(grouping: statements.filter { $0.change != nil }, by: \.change?.id)
            .values.compactMap { found in
                found.first?.change.map { ($0, found.map(\.field)) }
            }
            .sorted { $0.change.id < $1.change.id }
    }

    /// More than a line has room for are counted; JSON has them all.
    private static let fieldsNamed = 5

    private var unsigned: [Field] { statements.filter { $0.change == nil }.map(\.field) }

    var json: JSONValue {
        [
            "signed": .array(signed.map { .object($0.change.json(of: $0.fields)) }),
            "unsigned": .array(unsigned.map { .string($0.path) }),
        ]
    }

    /// Who signed what, if anybody did, and for what nobody's signature is shown.
    var blocks: [Report.Block] {
        guard !signed.isEmpty else { return [] }
        var blocks = signed.flatMap { $0.change.blocks(of: $0.fields) }
        if !unsigned.isEmpty {
            let fields =
                unsigned.count > Self.fieldsNamed
                ? "\(unsigned.count) other values and texts"
                : unsigned.map(\.path).joined(separator: ", ")
            blocks.append(.unchecked("who decided on \(fields): no signature of a person is shown"))
        }
        if !others.isEmpty {
            let files = others.map(\.text).joined(separator: ", ")
            blocks.append(.unchecked("who decided on what \(files) says"))
        }
        blocks.append(.unchecked("that nothing was taken away: a document says what is there"))
        return blocks
    }
}

extension ChangeProof {
    fileprivate func json(of fields: [Field]) -> JSONObject {
        [
            "change": .string("\(id)"),
            "fields": .array(fields.map { .string($0.path) }),
            "persons": .array(
                approvals.map { approval in
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

    fileprivate func blocks(of fields: [Field]) -> [Report.Block] {
        let persons = signers == 1 ? "1 person" : "\(signers) persons"
        let fields = fields.map(\.path).joined(separator: ", ")
        return [.check(passed: true, "\(persons) signed change \(id): \(fields)")]
            + approvals.map { approval in
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
            "Refuse availability documents of which anything was signed by fewer persons.",
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

    /// Refuses what fewer persons signed: of one file, or of all.
    func check(_ finding: SnapshotCheck.Finding, _ file: FileName? = nil) throws {
        guard let persons else { return }
        let objections = finding.signedFields.objections(toSignatures: persons, of: file)
        guard objections.isEmpty else {
            throw Failure(
                .verificationFailed,
                "Not all of it is signed by \(persons == 1 ? "a person" : "\(persons) persons").",
                checks: objections.map { Failure.Check(detail: $0, remedy: nil) }
            )
        }
    }
}

import ArgumentParser
import Foundation
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import Subprocess

/// With which key of the person's own an approval is signed, if it is.
struct SigningOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Sign with this SSH key of yours, or have the agent sign whose public half it is "
                + "(default: PLIMSOLL_SIGN_WITH; without it nothing is signed).",
            valueName: "file"
        )
    )
    var signWith: String?

    private var file: String? {
        signWith ?? environment["PLIMSOLL_SIGN_WITH"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether something is to be signed.
    var isAsked: Bool { file != nil }

    /// Signs that the caller approves the change as it is shown; `nil` where nothing is to be signed,
    /// which nothing is for trial: whoever has a signature can use it.
    ///
    /// What is signed is worked out here, from what the change says: a service that shows one thing
    /// and has another one signed is found out.
    func signature(
        of shown: ChangeAnswer?,
        _ id: ChangeID,
        _ digest: ChangeDigest,
        isDryRun: Bool,
        _ client: AdminClient
    ) async throws -> PersonSignature? {
        guard let file, !isDryRun else { return nil }
        let change: ChangeAnswer
        if let shown {
            change = shown
        } else {
            change = try await client.call(Endpoints.getChange, id)
        }
        // A change that is closed can be approved no more: at most an answer is given again.
        guard change.digest != nil else { return nil }
        guard ChangeDigest(of: change.content) == digest else {
            throw Failure(
                .conflict,
                "What change \(id) shows does not have the digest \(digest).",
                detail: "Nothing was signed.",
                next: "plimsoll change show \(id)"
            )
        }
        let statement = ApprovalStatement(
            app: change.summary.app,
            change: id,
            digest: digest,
            approver: try await client.call(Endpoints.getIdentity).principal,
            signedAt: Instant.now
        )
        return try await SSHSigner(file: file).signature(of: statement)
    }
}

extension ChangeAnswer {
    /// What an approval of it binds to.
    var content: ChangeContent {
        ChangeContent(
            app: summary.app,
            operations: operations,
            schedule: summary.schedule,
            effect: effect
        )
    }
}

/// Signs as git does, with OpenSSH's own program, which knows encrypted keys, agents and terminals.
private struct SSHSigner {
    let file: String

    private static let program = "ssh-keygen"
    private static let outputMaximum = 64 << 10

    func signature(of statement: ApprovalStatement) async throws -> PersonSignature {
        let armored = try await armoredSignature(of: statement.text)
        let signature = PersonSignature(armored: armored, at: statement.signedAt)
        guard let signature, signature.signs(statement) else {
            throw Failure(
                .failed,
                "\(legible(file)) has made a signature that is not taken.",
                detail: "Only keys of the kinds ssh-ed25519 and ecdsa-sha2-nistp256 are.",
                next: "ssh-keygen -t ed25519 -f ~/.ssh/plimsoll -C \"\""
            )
        }
        return signature
    }

    /// It reads a file rather than its input, which it leaves unread where a key cannot be had.
    private func armoredSignature(of text: String) async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let statement = folder.appending(path: "statement")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            try Data(text.utf8).write(to: statement)
        } catch {
            throw Failure(.failed, "What is to be signed cannot be written to \(folder.path).")
        }
        try await sign(statement.path)
        guard let armored = try? String(contentsOfFile: statement.path + ".sig", encoding: .utf8)
        else { throw Failure(.failed, "\(Self.program) has written no signature.") }
        return armored
    }

    private func sign(_ path: String) async throws {
        let arguments = ["-Y", "sign", "-q", "-n", ApprovalStatement.namespace, "-f", file, path]
        let result: ExecutionResult<Void, DiscardedOutput, StringOutput<UTF8>>
        do {
            result = try await run(
                .name(Self.program),
                arguments: Arguments(arguments),
                output: .discarded,
                error: .string(limit: Self.outputMaximum)
            )
        } catch {
            throw Failure(
                .failed,
                "\(Self.program) cannot be run, which signs: it comes with OpenSSH."
            )
        }
        guard result.terminationStatus.isSuccess else {
            throw Failure(
                .failed,
                "\(legible(file)) did not sign.",
                detail: excerpt(result.standardError, 400),
                next: "ssh-keygen -l -f \(legible(file))"
            )
        }
    }
}

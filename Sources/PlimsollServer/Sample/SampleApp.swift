import FoundationEssentials
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollStore
import PlimsollService

/// The sample app, which goes the road of every change: proposed by one, approved by another.
///
/// Its author and its reviewer have no tokens, so nobody can act as them.
struct SampleApp {
    let useCases: UseCases
    let writer: Writer

    /// Registers the app and publishes its documents, unless it has some already.
    ///
    /// Every step is a command with a name, so a start that died on the way is taken up where it
    /// was.
    func seed() async throws -> AppSlug {
        let form = try RegistrationForm(body: PackageResources.app_json)
        let documents = writer.logState.app(form.slug)?.documents.values
        guard documents?.allSatisfy(\.isEmpty) ?? true else { return form.slug }
        _ = try await useCases.registerApp(
            RegistrationForm(slug: form.slug, settings: form.settings),
            request("register", by: .system)
        )
        let author = try await admit("Sample author", as: .proposer, to: form.slug)
        let reviewer = try await admit("Sample reviewer", as: .approver, to: form.slug)
        let (change, _) = try await useCases.propose(
            try proposal(),
            for: form.slug,
            request("propose", by: author)
        )
        guard let digest = change.digest else {
            preconditionFailure("a proposed change has a digest")
        }
        _ = try await useCases.approve(
            change.summary.id,
            seen: digest,
            ApprovalForm(),
            request("approve", by: reviewer)
        )
        return form.slug
    }

    private func proposal() throws -> ProposalForm {
        let documents: [(Platform, [UInt8])] = [
            (.ios, PackageResources.availability_ios_json),
            (.android, PackageResources.availability_android_json),
        ]
        return ProposalForm(
            title: try Title(validating: "Set the first thresholds"),
            reason: try Reason(validating: "The sample app starts with documents to look at."),
            base: writer.logState.position,
            operations: try documents.flatMap { platform, bytes in
                let document = try AvailabilityDocument(parsing: bytes, platform: platform)
                return Document(platform: platform).operations(to: document.document)
            }
        )
    }

    private func admit(
        _ name: String,
        as role: Role,
        to app: AppSlug
    ) async throws -> PrincipalID {
        try await useCases.admit(
            Title(validating: name),
            [RoleGrant(role, in: .app(app))],
            request(name, by: .system)
        )
    }

    private func request(_ step: String, by principal: PrincipalID) -> WriteRequest {
        WriteRequest(
            caller: Caller(principal: principal, authentication: .service),
            id: "sample",
            identity: .named("sample/\(step)"),
            mode: .commit
        )
    }
}

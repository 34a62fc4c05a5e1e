import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll whoami`: whose token this is.
struct WhoamiCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "whoami",
        abstract: "Show whose token this is, and what they may do.",
        discussion: "For example: plimsoll whoami"
    )

    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let identity = try await client.identity()
            let lines = [
                "name       \(identity.name.map { excerpt($0) } ?? "(no name)")",
                "principal  \(identity.principal)",
                "token      \(identity.token?.description ?? "")",
                "expires    \(identity.expiresAt?.rfc3339 ?? "never")",
                "roles      \(identity.roles.names)",
            ]
            output.show(Report(identity.json, lines.map(Report.Block.line)))
            return .done
        }
    }
}

extension [RoleGrant] {
    /// Such as `proposer@harbour, viewer`; without an app a role holds for all.
    var names: String {
        map { grant in
            switch grant.scope {
            case .app(let slug): "\(grant.role.rawValue)@\(slug)"
            case .all: grant.role.rawValue
            }
        }.joined(separator: ", ")
    }
}

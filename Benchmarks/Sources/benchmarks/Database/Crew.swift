import Foundation
import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem
import PlimsollStore

/// Apps, and the people who write about them.
struct Crew: Sendable {
    let apps: [AppSlug]
    let proposer: PrincipalID
    let approver: PrincipalID
    /// What the commands of each are authenticated by.
    let tokens: [PrincipalID: Authentication]

    static let languages = ["en", "de", "fr", "cy", "ar"]

    /// Lets everybody in and registers so many apps, as far as a former run has not.
    static func admitted(by writer: Writer, apps count: Int, keys: Path) async throws -> Crew {
        let admin = try await admit(.admin, by: writer)
        let signingKeys = SigningKeys(folder: keys)
        try signingKeys.prepare()
        var apps: [AppSlug] = []
        for number in 1...count {
            let slug = try known(AppSlug("harbour-\(number)"), "a slug")
            apps.append(slug)
            guard writer.logState.app(slug) == nil else { continue }
            let command = RegisterApp(
                slug: slug,
                settings: try settings,
                key: try signingKeys.makeKey(for: slug),
                isDefault: nil,
                by: admin.principal
            )
            let request = CommandRequest(command, authentication: .token(admin.id))
            _ = try await writer.perform(request)
        }
        let approver = try await admit(.approver, by: writer)
        let proposer = try await admit(.proposer, by: writer)
        return Crew(
            apps: apps,
            proposer: proposer.principal,
            approver: approver.principal,
            tokens: [
                proposer.principal: .token(proposer.id), approver.principal: .token(approver.id),
            ]
        )
    }

    private static var settings: AppSettings {
        get throws {
            let languages = try languages.map { try known(LanguageTag($0), "a language") }
            return AppSettings(
                name: try Title(validating: "Harbour"),
                platforms: [.ios, .android],
                languages: languages,
                fallbackLanguage: languages[0]
            )
        }
    }

    /// Lets somebody in, with a secret that nobody knows where none is given.
    static func admit(
        _ role: Role,
        by writer: Writer,
        secret: SecretDigest? = nil
    ) async throws -> TokenRecord {
        let unknown = SecretDigest(hex: String(repeating: "5a", count: 32))
        let token = TokenRecord(
            id: TokenID(UUID()),
            principal: PrincipalID(UUID()),
            secret: try known(secret ?? unknown, "a digest"),
            expiresAt: nil
        )
        let grants = [RoleGrant(role, in: .all)]
        let command = IssueToken(token: token, grants: grants, by: .system)
        _ = try await writer.perform(CommandRequest(command))
        return token
    }

    /// A command as the REST interface hands it over.
    func request(_ command: some Command) -> CommandRequest {
        let id = UUID().uuidString.lowercased()
        return CommandRequest(
            command,
            authentication: tokens[command.by] ?? .service,
            requestID: id
        )
    }
}

/// The value, where the benchmark itself made sure that there is one.
func known<Value>(_ value: Value?, _ name: String) throws -> Value {
    guard let value else { throw Failure(sentence: "the benchmark needs \(name) and has none") }
    return value
}

import ArgumentParser
import PlimsollDomain

/// A role as it is written on the command line: `viewer`, or `proposer@harbour`.
struct GrantArgument: ExpressibleByArgument, Equatable {
    let role: Role
    let app: AppSlug?

    init?(argument: String) {
        let parts = argument.split(separator: "@", omittingEmptySubsequences: false).map(
            String.init
        )
        guard (1...2).contains(parts.count), let role = Role(rawValue: parts[0]) else {
            return nil
        }
        self.role = role
        guard parts.count == 2 else {
            app = nil
            return
        }
        guard let slug = AppSlug(parts[1]) else { return nil }
        app = slug
    }

    /// The role holds for the app it names, else for the usual one, else for all.
    func grant(in usual: AppSlug?) -> RoleGrant {
        RoleGrant(role, in: (app ?? usual).map(Scope.app) ?? .all)
    }
}

import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// Why somebody acts alone; the incident may have no number yet.
struct UnnumberedEmergencyOptions: ParsableArguments {
    @Option(help: "Why; it is kept with the event.")
    var reason: String
    @Option(help: "The incident's number or address, by which people find it.")
    var incident: String?
    @Option(help: "Who sees to the review, by name or id; you without it.")
    var owner: String?

    func words() throws -> Reason {
        guard let words = try PlimsollCommands.reason(reason) else {
            preconditionFailure("a reason that is there is refused or read")
        }
        return words
    }

    func reference() throws -> Title? {
        try incident.map { try title($0, "--incident") }
    }

    func principal(_ client: AdminClient) async throws -> PrincipalID? {
        try await PlimsollCommands.principal(called: owner, client)
    }
}

/// The one principal that a name or an id names.
func principal(called name: String?, _ client: AdminClient) async throws -> PrincipalID? {
    guard let name else { return nil }
    let found = await People(client).principals(named: name)
    guard let principal = found.first, found.count == 1 else {
        throw Failure(
            .failed,
            found.isEmpty
                ? "There is nobody called \"\(legible(name))\" whose name you may see."
                : "Several are called \"\(legible(name))\"; name one by id.",
            next: "plimsoll principal list"
        )
    }
    return principal
}

import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// What is frozen: an app, or everything.
struct FreezeOptions: ParsableArguments {
    @Flag(help: "All apps.")
    var all = false
    @OptionGroup var app: AppOption

    func validate() throws {
        if all, app.app != nil { throw ValidationError("Say --all or --app, not both.") }
    }

    /// `nil` is every app.
    func slug(_ client: AdminClient) async throws -> AppSlug? {
        if all { return nil }
        return try await app.slug(client)
    }
}

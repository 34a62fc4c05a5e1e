import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// A policy in a file, and what it is for: an app that is named before it, or all.
struct PolicyArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The app; or the file, for all apps without a policy of their own.",
            valueName: "app-or-file"
        )
    )
    private var first: String

    @Argument(
        help: ArgumentHelp(
            "The file, where an app is named; - is standard input.",
            valueName: "file"
        )
    )
    private var second: String?

    func validate() throws {
        if second != nil, AppSlug(first) == nil {
            throw ValidationError("\"\(legible(first))\" is no app: \(AppSlug.grammar).")
        }
    }

    /// `nil` is every app.
    var app: AppSlug? { second == nil ? nil : AppSlug(first) }

    /// What the file says: the policy, and perhaps why; or a policy as `policy show --json` has it,
    /// whose reason is that of another change.
    func form() throws -> PolicyForm {
        let path = second ?? first
        let bytes = Self.policy(in: try contents(of: path, upTo: Self.bytesMaximum))
        do throws(Problem) {
            return try PolicyForm(body: bytes)
        } catch {
            throw Failure(
                .failed,
                "\(legible(path)) is no policy.",
                detail: error.detail,
                checks: error.errors.map(Failure.Check.init)
            )
        }
    }

    private static func policy(in bytes: [UInt8]) -> [UInt8] {
        // What cannot be read here is refused, with its faults, by whoever reads the policy.
        guard let json = try? JSONValue(parsing: bytes), json["source"] != nil,
            let policy = json["policy"]?.object
        else { return bytes }
        return policy.canonicalBytes()
    }

    private static let bytesMaximum = 256 * 1024
}

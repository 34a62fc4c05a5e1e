import ArgumentParser
import PlimsollAPI

/// How much of a list is shown.
struct ListOptions: ParsableArguments {
    @Option(help: "How many at most (default: 50).")
    var limit: Int?

    private static let usual = 50

    @Flag(help: "All there are.")
    var all = false

    /// The most that the service gives at a time.
    private static let pageMaximum = 200

    func validate() throws {
        guard let limit, limit < 1 else { return }
        throw ValidationError("--limit is \(limit); it needs to be 1 or more.")
    }

    /// Asks for one part after the other; the body says how many came, and where the next begins.
    ///
    /// Returns where what was not asked for begins, if there is more.
    func forEach(
        _ body: (PageOptions) async throws -> (count: Int, next: String?)
    ) async throws -> String? {
        var (left, cursor): (Int, String?) = (all ? .max : limit ?? Self.usual, nil)
        repeat {
            let page = PageOptions(limit: min(left, Self.pageMaximum), after: cursor)
            let part = try await body(page)
            left -= min(left, part.count)
            cursor = part.count == 0 ? nil : part.next
        } while cursor != nil && left > 0
        return cursor
    }
}

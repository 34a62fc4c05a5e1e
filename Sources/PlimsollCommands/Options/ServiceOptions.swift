import ArgumentParser
import Foundation
import PlimsollAPI
import PlimsollDomain
import Synchronization

/// Which service is talked to, and as whom.
struct ServiceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The address of the service (default: PLIMSOLL_URL, or http://127.0.0.1:8080).",
            valueName: "address"
        )
    )
    var url: String?

    @Option(
        help: ArgumentHelp(
            "A file with the token (default: the variable PLIMSOLL_TOKEN).",
            valueName: "file"
        )
    )
    var tokenFile: String?

    static let urlUsual = "http://127.0.0.1:8080"
    private static let tokenBytesMaximum = 1024
    /// By their paths: a pipe says its token once, and whoever waits for phones asks again.
    private static let tokensRead = Mutex<[String: String]>([:])

    /// Connects for as long as the body runs.
    func withClient<Result: Sendable>(
        _ body: (AdminClient) async throws -> Result
    ) async throws -> Result {
        let (address, token) = (try address(), try token())
        return try await Transport.with { transport in
            let warning = ReadOnlyWarning()
            let client = AdminClient(
                at: address,
                token: token,
                over: transport,
                heedTokenEnd: { TokenEndWarning.give($0) },
                heedReadOnly: { warning.give() }
            )
            do {
                return try await body(client)
            } catch {
                throw await naming(error, client)
            }
        }
    }

    /// A refusal that has ids of people in it, with their names; any other error as it is.
    private func naming(_ error: any Error, _ client: AdminClient) async -> any Error {
        let failure = error as? Failure ?? (error as? AdminError).map { Failure($0) }
        guard let failure, failure.mayNameSomebody else { return error }
        return failure.naming(await People(client))
    }

    func address() throws -> ServiceAddress {
        let text = url ?? environment["PLIMSOLL_URL"] ?? Self.urlUsual
        guard let address = ServiceAddress(text) else {
            let name = url == nil ? "PLIMSOLL_URL" : "--url"
            throw Failure(
                .usage,
                "\(name) is \"\(legible(address: text))\"; it needs to be \(ServiceAddress.grammar)."
            )
        }
        return address
    }

    func token() throws -> String {
        if let tokenFile { return try validated(tokenInFile(tokenFile), from: tokenFile) }
        guard let token = environment["PLIMSOLL_TOKEN"], !token.isEmpty else {
            throw Failure(
                .notAuthenticated,
                "There is no token.",
                detail: "Give one in PLIMSOLL_TOKEN or in a file with --token-file; the first"
                    + " start of a service writes one to the file admin-token of its data"
                    + " directory.",
                next: "export PLIMSOLL_TOKEN=plm_…"
            )
        }
        return try validated(token, from: "PLIMSOLL_TOKEN")
    }

    /// `nil` where nobody gave one, for commands that can do without.
    func tokenIfGiven() throws -> String? {
        guard tokenFile != nil || !environment["PLIMSOLL_TOKEN"].isEmptyOrMissing else {
            return nil
        }
        return try token()
    }

    private func tokenInFile(_ path: String) throws -> String {
        if let token = Self.tokensRead.withLock({ $0[path] }) { return token }
        let bytes = try contents(of: path, upTo: Self.tokenBytesMaximum)
        let token = String(decoding: bytes, as: UTF8.self)
        Self.tokensRead.withLock { $0[path] = token }
        return token
    }

    /// The error never shows the token.
    private func validated(_ text: String, from source: String) throws -> String {
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard token.hasPrefix("plm_"), token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure(
                .notAuthenticated,
                "\(source) holds no token of Plimsoll; those begin with plm_."
            )
        }
        return token
    }
}

/// How results are written.
struct OutputOptions: ParsableArguments {
    @Option(
        name: .customLong("format"),
        help: "table or json; without it tables on a terminal and JSON elsewhere."
    )
    private var chosen: Format?

    @Flag(name: .customLong("json"), help: "The same as --format json.")
    private var isJSON = false

    @Flag(name: .shortAndLong, help: "Print only results and errors.")
    var quiet = false

    init() {}

    /// For a command that knows more forms.
    init(_ format: Format?, quiet: Bool) {
        chosen = format
        isJSON = false
        self.quiet = quiet
    }

    var format: Format? { isJSON ? .json : chosen }
}

extension Format: ExpressibleByArgument {}

/// How much of a list is shown.
struct ListOptions: ParsableArguments {
    @Option(help: "How many at most (default: 50).")
    var limit: Int?

    private static let usual = 50

    @Flag(help: "All there are.")
    var all = false

    /// The most that the service gives at a time.
    private static let pageMaximum = 200

    /// The most that is shown, of one list or of several.
    var most: Int { all ? .max : limit ?? Self.usual }

    func validate() throws {
        guard let limit, limit < 1 else { return }
        throw ValidationError("--limit is \(limit); it needs to be 1 or more.")
    }

    /// Asks for one part after the other; the body says what came, and where the next begins.
    ///
    /// Returns all of it, and where what was not asked for begins, if there is more.
    func collect<Element>(
        _ body: (PageOptions) async throws -> (elements: [Element], next: String?)
    ) async throws -> (elements: [Element], next: String?) {
        var elements: [Element] = []
        var (left, cursor): (Int, String?) = (most, nil)
        repeat {
            let page = PageOptions(limit: min(left, Self.pageMaximum), after: cursor)
            let part = try await body(page)
            elements += part.elements
            left -= min(left, part.elements.count)
            cursor = part.elements.isEmpty ? nil : part.next
        } while cursor != nil && left > 0
        return (elements, cursor)
    }
}

extension Output {
    /// Says that there is more of a list, if something begins where it ends.
    func noteMore(_ next: String?) {
        if next != nil { noteMore() }
    }

    func noteMore() {
        note("There are more; --all or a larger --limit shows them.")
    }
}

/// Which app is meant.
struct AppOption: ParsableArguments {
    @Option(help: "The app's slug (default: PLIMSOLL_APP, or the only app).")
    var app: AppSlug?

    init() {}

    init(app: AppSlug?) {
        self.app = app
    }

    /// Whether nobody named one.
    var isOpen: Bool { app == nil && environment["PLIMSOLL_APP"].isEmptyOrMissing }

    /// Its slug: one request fewer at three in the morning where it is named.
    func slug(_ client: AdminClient) async throws -> AppSlug {
        if let named = try named() { return named }
        return try await resolve(client).slug
    }

    /// The one that is named, here or in the environment.
    func named() throws -> AppSlug? {
        if let app { return app }
        guard let text = environment["PLIMSOLL_APP"], !text.isEmpty else { return nil }
        guard let slug = AppSlug(text) else {
            throw Failure(
                .usage,
                "PLIMSOLL_APP is \"\(legible(text))\"; it needs to be \(AppSlug.grammar)."
            )
        }
        return slug
    }

    /// The app, as it stands now.
    func resolve(_ client: AdminClient) async throws -> AppAnswer {
        if let named = try named() { return try await client.call(Endpoints.getApp, named) }
        let apps = try await client.call(Endpoints.listApps).apps
        guard let first = apps.first else {
            throw Failure(
                .failed,
                "There is no app yet, or none that you may see.",
                next: "plimsoll apps register --help"
            )
        }
        guard apps.count == 1 else {
            let names = apps.map(\.slug.text).joined(separator: ", ")
            throw Failure(
                .usage,
                "There are several apps: \(names).",
                next: "the same command with --app and one of them"
            )
        }
        return first
    }
}

extension AppAnswer {
    /// The platforms that have an availability document.
    var documentPlatforms: [Platform] {
        settings.platforms.filter { !$0.thresholds.isEmpty }.sorted()
    }

    /// Those that were asked for, or all.
    func documentPlatforms(_ wanted: Platform?) -> [Platform] {
        wanted.map { [$0] } ?? documentPlatforms
    }
}

import PlimsollDomain
import PlimsollJSON
import PlimsollService
import PlimsollSystem

/// How long the service takes to answer each screen of the console, and how much the browser loads for it:
/// of an app that has changed 10 000 times and has 200 open changes.
struct ConsoleBenchmark {
    let options: Options

    private static let events = 10_000
    private static let openChanges = 200
    private static let allowed = 50.0
    private static let bytesAllowed = 100_000.0

    func run() async throws {
        let program = try known(options.plimsoll, "the program plimsoll")
        let folder = options.folder / "console"
        let secret = TokenSecret.random()
        try await ScratchServer.with(in: folder) { server in
            try await Filling(server: server, folder: folder, events: Self.events, appCount: 1)
                .run()
            try await WorkingWriter.with(on: server) { working in
                _ = try await Crew.admit(.admin, by: working.writer, secret: secret.digest)
            }
        }
        try await RunningService.with(program, data: folder) { service in
            try await service.whenReady()
            let team = try Team(of: service, adminToken: secret.text)
            let app = try known(AppSlug("harbour-1"), "a slug")
            let change = try Self.propose(to: app, team)
            let reader = try ConsoleReader(port: service.rest, token: secret.text)
            let screens = try Self.paths(app, change).map { try figures(of: $0, reader) }
            print(
                "  \(options.rounds) rounds, medians; the server's time, with what the browser loads"
            )
            Table(unit: "ms", scores: screens.map(\.time)).show()
            Table(unit: "kB", scores: screens.map(\.weight)).show()
        }
    }

    /// Answers the last of so many open changes; nobody may have more than half of them.
    private static func propose(to app: AppSlug, _ team: Team) throws -> String {
        let people = [team.proposer, try team.admin.admit("Carol", as: "proposer")]
        var last: JSONValue = .null
        for number in 1...openChanges {
            let text: JSONValue = [
                "op": "setText", "platform": "ios", "threshold": "recommendedApp",
                "part": "description", "language": .string("en-\(100 + number)"),
                "text": "Tomorrow there is more.",
            ]
            last = try people[number % people.count].send(
                "POST",
                "/v1/apps/\(app)/changes",
                [
                    "title": .string("Say so (\(number))"), "reason": "Many wait.",
                    "base": try team.position(of: app), "operations": [text],
                ]
            )
        }
        return try known(last["id"]?.string, "a change")
    }

    private static func paths(_ app: AppSlug, _ change: String) -> [String] {
        let own = ["propose", "preview", "rollback", "block", "releases", "settings", "policy"]
        return [
            "/", "/changes?tab=all", "/changes?tab=needsMe", "/changes/\(change)", "/history",
            "/history?app=\(app)", "/people", "/keys", "/reviews", "/webhooks", "/log", "/health",
            "/sessions",
        ] + own.map { "/apps/\(app)/\($0)" }
    }

    private func figures(
        of path: String,
        _ reader: ConsoleReader
    ) throws -> (time: Score, weight: Score) {
        var time = Score(path, against: "allowed", target: .atMost(1))
        var weight = Score(path, against: "allowed", target: .atMost(1))
        // The first round finds nothing warm.
        _ = try reader.read(path)
        for _ in 0..<options.rounds {
            let begin = ContinuousClock.now
            let page = try reader.read(path)
            time.note((ContinuousClock.now - begin) / .milliseconds(1), against: Self.allowed)
            let bytes = page.count + (try reader.assetBytes(of: page))
            weight.note(Double(bytes) / 1000, against: Self.bytesAllowed / 1000)
        }
        return (time, weight)
    }
}

/// Somebody's browser that is signed in.
private struct ConsoleReader {
    private let connection: HTTPConnection
    private let cookie: String

    init(port: UInt16, token: String) throws {
        connection = try HTTPConnection(port: port)
        let answer = try connection.send(
            "POST",
            "/sign-in",
            fields: [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array("_token=\(token)".utf8)
        )
        let pair = answer.fields["set-cookie"]?.split(separator: ";").first
        cookie = String(try known(pair, "a session"))
    }

    func read(_ path: String) throws -> String {
        let page = try connection.send("GET", path, fields: [("Cookie", cookie)])
        guard page.status == 200 else {
            throw Failure(sentence: "\(path) was answered \(page.status)")
        }
        return String(decoding: page.body, as: UTF8.self)
    }

    /// How much a browser that has nothing yet loads for the page.
    func assetBytes(of page: String) throws -> Int {
        let names = Set(page.matches(of: /"(\/assets\/[^"]+)"/).map { String($0.output.1) })
        return try names.reduce(0) { try $0 + connection.send("GET", $1).body.count }
    }
}

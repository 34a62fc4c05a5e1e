import PlimsollDomain
import PlimsollJSON
import PlimsollService
import PlimsollStore
import PlimsollSystem

/// How long a running service takes to say what every release shows on every system: of an app with
/// 1 500 releases, which need 64 systems in turn.
struct MatrixBenchmark {
    let options: Options

    private static let releases = 1500
    private static let systems = 64
    private static let allowed = 10.0
    /// A round counts as the median of so many answers.
    private static let answers = 20

    func run() async throws {
        let program = try known(options.plimsoll, "the program plimsoll")
        let folder = options.folder / "matrix"
        let secret = TokenSecret.random()
        let app = try known(AppSlug("harbour-1"), "a slug")
        try await ScratchServer.with(in: folder) { server in
            try await Filling(server: server, folder: folder, events: 100, appCount: 1).run()
            try await WorkingWriter.with(on: server) { working in
                let admin = try await Crew.admit(.admin, by: working.writer, secret: secret.digest)
                guard working.writer.logState.app(app)?.releases.isEmpty == true else { return }
                try await Self.register(for: app, by: admin.principal, working.writer)
            }
        }
        try await RunningService.with(program, data: folder) { service in
            try await service.whenReady()
            let team = try Team(of: service, adminToken: secret.text)
            let change = try Self.propose(to: app, team)
            let (matrix, device) = ("/v1/apps/\(app)/matrix", "/v1/apps/\(app)/simulate")
            let scores = [
                try score("every release as it is", "\(matrix)?platform=ios", team),
                try score(
                    "every release under a change",
                    "\(matrix)?platform=ios&from=live&to=change:\(change)",
                    team
                ),
                try score(
                    "one device",
                    "\(device)?platform=ios&os=14.0&app=3.0&language=en",
                    team
                ),
            ]
            print("  \(Self.releases) releases, \(options.rounds) rounds, medians")
            Table(unit: "ms", scores: scores).show()
        }
    }

    private static func register(
        for app: AppSlug,
        by admin: PrincipalID,
        _ writer: Writer
    ) async throws {
        for number in 0..<releases {
            let system = "\(11 + number % systems / 8).\(number % 8)"
            let release = Release(
                platform: .ios,
                version: .dotted(
                    try known(AppleVersion("\(1 + number / 100).\(number % 100)"), "a version")
                ),
                facts: ReleaseFacts(
                    system: .dotted(try known(AppleVersion(system), "a system")),
                    liveSince: .now
                )
            )
            let command = RegisterRelease(release, of: app, reason: nil, by: admin)
            _ = try await writer.perform(CommandRequest(command))
        }
    }

    /// Answers a change that moves many devices.
    private static func propose(to app: AppSlug, _ team: Team) throws -> String {
        let change = try team.propose(
            "Draw a line",
            [
                [
                    "op": "setValue", "platform": "ios", "threshold": "recommendedApp",
                    "value": "15.50",
                ]
            ],
            to: app
        )
        return try known(change["id"]?.string, "a change")
    }

    private func score(_ name: String, _ path: String, _ team: Team) throws -> Score {
        var score = Score(name, against: "allowed", target: .atMost(1))
        let fields = [("Authorization", "Bearer \(team.admin.token)")]
        for round in 0...options.rounds {
            let durations = try (1...Self.answers).map { _ in
                let begin = ContinuousClock.now
                let answer = try team.admin.connection.send("GET", path, fields: fields)
                guard answer.status == 200 else {
                    throw Failure(sentence: "\(path) was answered \(answer.status)")
                }
                return (ContinuousClock.now - begin) / .milliseconds(1)
            }
            // The first round finds nothing warm.
            if round > 0 { score.note(median(durations), against: Self.allowed) }
        }
        return score
    }
}

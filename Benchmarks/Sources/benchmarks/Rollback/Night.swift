import PlimsollDomain
import PlimsollJSON
import PlimsollStore

/// A night on which an app has to go back, with changes that wait for tomorrow and a freeze.
struct Night {
    static let schedules = 50

    private let team: Team
    private let app: AppSlug
    private let traveller: Traveller

    init(_ service: RunningService, _ team: Team, app: AppSlug) throws {
        (self.team, self.app) = (team, app)
        traveller = try Traveller(service, team, app: app)
    }

    /// How long the rollback took to the phones.
    func rollBack() throws -> Duration {
        let mistake = try traveller.raise()
        for number in 1...Self.schedules { try schedule(number) }
        let freeze = "/v1/apps/\(app)/freeze"
        _ = try team.admin.send("POST", freeze, ["reason": "Nobody is awake."])
        let duration = try traveller.rollBack(before: mistake)
        _ = try team.admin.send("DELETE", freeze, [:])
        return duration
    }

    private func schedule(_ number: Int) throws {
        let text: JSONValue = [
            "op": "setText", "platform": "ios", "threshold": "minimumApp",
            "part": "description", "language": .string("en-\(100 + number)"),
            "text": "Tomorrow there is more.",
        ]
        let change = try team.propose(
            "Say so tomorrow (\(number))",
            [text],
            to: app,
            schedule: ["at": .string((Instant.now.advanced(by: .seconds(86_400))).rfc3339)]
        )
        try team.approve(change)
    }
}

import PlimsollDomain
import PlimsollSystem
import PlimsollPostgres

/// From the last approval to new signed bytes at the edge, against a row that is inserted durably
/// and told to a listener on another connection, on the same server and in turn.
struct RoadBenchmark {
    let options: Options

    /// So many changes a round; a round counts as its median.
    private static let changes = 11

    func run() async throws {
        let program = try known(options.plimsoll, "the program plimsoll")
        let data = options.folder / "service"
        let score = try await RunningService.with(program, data: data) { service in
            let team = try Team(of: service, adminToken: try service.adminToken)
            let app = try known(AppSlug("harbour"), "a slug")
            let traveller = try Traveller(service, team, app: app)
            return try await LogNotificationListener.with(ConnectionString(service.database)) {
                doorbell in
                _ = try await Self.round(traveller, doorbell)
                var score = Score(
                    "approval to edge",
                    against: "INSERT and NOTIFY",
                    target: .atMost(10)
                )
                for _ in 1...options.rounds {
                    let (road, roundTrip) = try await Self.round(traveller, doorbell)
                    score.note(road, against: roundTrip)
                }
                return score
            }
        }
        print("  \(options.rounds) rounds of \(Self.changes) changes, medians")
        Table(unit: "ms", scores: [score]).show()
    }

    private static func round(
        _ traveller: Traveller,
        _ doorbell: LogNotificationListener
    ) async throws -> (road: Double, roundTrip: Double) {
        var roads: [Double] = []
        var roundTrips: [Double] = []
        for _ in 1...changes {
            roads.append(try traveller.travel() / .milliseconds(1))
            // What the service writes behind the edge is not to disturb the yardstick.
            try await Task.sleep(for: .milliseconds(50))
            roundTrips.append(try await doorbell.roundTrip() / .milliseconds(1))
        }
        return (median(roads), median(roundTrips))
    }
}

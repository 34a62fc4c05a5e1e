import PlimsollAPI
import PlimsollDomain

/// Looks at all edges that follow an origin, and those that follow them: how many there are, and
/// who lags.
struct TreeCheck {
    let origin: ServiceAddress
    let transport: Transport
    /// How long an edge may take to serve what it was just told of.
    var patience = Duration.seconds(12)

    private static let pause = Duration.seconds(1)

    private var name: String { "edges of \(origin)" }

    func findings() async -> [Finding] {
        let end = ContinuousClock.now + patience
        while true {
            let report: EdgeReport
            do {
                report = try await look()
            } catch {
                return [.bad(name, error, "See whether --origin-listen is given there.")]
            }
            let isWell = report.lagging.isEmpty && report.silent.isEmpty
            let isLate = .now >= end
            guard !isWell, !isLate, (try? await Task.sleep(for: Self.pause)) != nil else {
                return findings(report)
            }
        }
    }

    private func look() async throws -> EdgeReport {
        let url = origin.url("/origin/edges")
        let answer = try await transport.send(WebRequest(.get, url))
        guard answer.status == 200, let report = try? EdgeReport(parsing: answer.body) else {
            throw Failure(.failed, "\(url) does not say which edges follow.")
        }
        return report
    }

    private func findings(_ report: EdgeReport) -> [Finding] {
        let lagging = report.lagging.map { lag in
            let served = lag.sequence.map { "still serves snapshot \($0)" } ?? "serves nothing yet"
            return Finding.bad(
                name,
                "\(lag.path.joined(separator: " › ")) \(served) of \(lag.app), and what it follows"
                    + " has a newer one",
                "Look at its log for why it refuses the newer one, or whether its keys are there."
            )
        }
        let silent = report.silent.map { edge in
            Finding.bad(
                name,
                "\(edge) has said nothing for half a minute",
                "Start it, or mend the network to what it follows; phones keep what they have."
            )
        }
        let below = report.edges - 1
        let (edges, levels) = (below == 1 ? "1 edge" : "\(below) edges", report.depth - 1)
        let shape = levels > 1 ? "\(edges) in \(levels) levels" : edges
        guard lagging.isEmpty, silent.isEmpty else { return lagging + silent }
        return [
            below == 0
                ? .unchecked(name, "nobody follows \(report.name) yet")
                : .good(name, "\(shape) below \(report.name), and none lags")
        ]
    }
}

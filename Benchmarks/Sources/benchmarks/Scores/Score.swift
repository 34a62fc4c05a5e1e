/// What was measured of Plimsoll and of its yardstick, round by round.
struct Score {
    /// What the ratio of Plimsoll's figure to the yardstick's is wanted to be.
    enum Target {
        case atLeast(Double)
        case atMost(Double)
        /// Measured beside the others, for whoever wants to know.
        case none

        func isMet(by ratio: Double) -> Bool? {
            switch self {
            case .atLeast(let limit): ratio >= limit
            case .atMost(let limit): ratio <= limit
            case .none: nil
            }
        }
    }

    let subject: String
    let yardstick: String
    let target: Target
    private var rounds: [(subject: Double, yardstick: Double)] = []

    init(_ subject: String, against yardstick: String, target: Target) {
        self.subject = subject
        self.yardstick = yardstick
        self.target = target
    }

    mutating func note(_ subject: Double, against yardstick: Double) {
        rounds.append((subject, yardstick))
    }

    var subjectMedian: Double { median(rounds.map(\.subject)) }
    var yardstickMedian: Double { median(rounds.map(\.yardstick)) }

    /// Each round against its own yardstick, in order of size.
    var ratios: [Double] { rounds.map { $0.subject / $0.yardstick }.sorted() }
}

func median(_ values: [Double]) -> Double {
    precondition(!values.isEmpty, "a benchmark has at least one round")
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

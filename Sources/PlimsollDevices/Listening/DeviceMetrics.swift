import Metrics
import PlimsollEdge
import PlimsollMarketplace

/// Counts what devices are answered, so that "why did it not update" is answered by a number.
///
/// All series there can be are made at the start: what devices send never makes one.
struct DeviceMetrics: Sendable {
    private let offered: [DeviceQuestion: Counter]
    private let current: [FailureReason?: Counter]
    private let failed: [DeviceQuestion: [FailureReason: Counter]]
    private let refused: [DeviceAddress: [String: Counter]]

    init() {
        let factory = MetricsSystem.factory
        let apps = { (question: DeviceQuestion, outcome: String, reason: String) in
            Counter(
                label: "plimsoll.devices.answered",
                dimensions: [
                    ("question", question.rawValue), ("outcome", outcome), ("reason", reason),
                ],
                factory: factory
            )
        }
        offered = .init(of: DeviceQuestion.allCases) { apps($0, "offered", "none") }
        current = .init(of: [nil] + FailureReason.allCases) { reason in
            apps(.updates, "current", reason?.rawValue ?? "none")
        }
        failed = .init(of: DeviceQuestion.allCases) { question in
            .init(of: FailureReason.allCases) { apps(question, "failed", $0.rawValue) }
        }
        refused = .init(of: DeviceAddress.allCases) { address in
            .init(of: DeviceRefusal.names) { name in
                Counter(
                    label: "plimsoll.devices.refused",
                    dimensions: [("question", address.rawValue), ("reason", name)],
                    factory: factory
                )
            }
        }
    }

    /// Counts each app of a request.
    func count(_ answer: DeviceAnswer) {
        offered[answer.question]?.increment(by: answer.offers.count)
        for reason in answer.hindrances { current[reason]?.increment() }
        for failure in answer.failures {
            failed[answer.question]?[failure.reason]?.increment()
        }
    }

    func count(_ refusal: DeviceRefusal, at address: DeviceAddress) {
        refused[address]?[refusal.name]?.increment()
    }
}

extension Dictionary {
    fileprivate init(of keys: [Key], _ value: (Key) -> Value) {
        self.init(uniqueKeysWithValues: keys.map { ($0, value($0)) })
    }
}

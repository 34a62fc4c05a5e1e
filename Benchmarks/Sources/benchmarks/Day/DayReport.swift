import Foundation

/// What a day of phones came to.
struct DayReport {
    let curve: DayCurve
    let answers: [DayAnswer]
    /// Of each edge by each full hour, in seconds.
    let processorTimes: [[Double]]
    let bytes: Int
    /// Of the phones themselves, in seconds.
    let ownProcessorTime: Double
    /// When the change was taken back, in seconds since the day's begin.
    let rollback: Double

    func show(goneWanted: Double) throws {
        let failed = answers.count { ![200, 304].contains($0.answer?.status ?? 0) }
        print(
            "  \(answers.count) looks of \(curve.phones) phones in \(decimals(curve.duration, 1)) s,",
            "\(Int(curve.rate(at: Double(DayCurve.peak) * curve.hour))) a second at the peak"
        )
        line("\(failed) without a good answer", "0", failed == 0)
        print("  \(bytes / max(answers.count, 1)) bytes a look, both ways, before TCP")
        showDurations("the whole day", answers)
        let peak = Double(DayCurve.peak) * curve.hour
        showDurations("the hour around the peak", answers.filter { near($0.due, peak) })
        showDurations(
            "the hour around three at night",
            answers.filter { near($0.due, 3 * curve.hour) }
        )
        showProcessors()
        try showRollback(goneWanted)
    }

    private func near(_ time: Double, _ moment: Double) -> Bool {
        abs(time - moment) < curve.hour / 2
    }

    private func showDurations(_ name: String, _ answers: [DayAnswer]) {
        let sorted = answers.map { $0.duration * 1000 }.sorted()
        func part(_ share: Double) -> String {
            decimals(sorted[min(Int(Double(sorted.count) * share), sorted.count - 1)], 1)
        }
        guard !sorted.isEmpty else { return }
        print(
            "  \(name): \(sorted.count) looks with handshake, half within \(part(0.5)) ms, 99 %",
            "within \(part(0.99)), 99.9 % within \(part(0.999)), the last \(part(1))"
        )
    }

    private func showProcessors() {
        let hours = zip(processorTimes, processorTimes.dropFirst()).map { before, after in
            zip(before, after).map { $1 - $0 }.reduce(0, +)
        }
        let total = hours.reduce(0, +)
        let most = (hours.max() ?? 0) / curve.hour
        print(
            "  the edges took \(decimals(total, 1)) s of processor,",
            "\(decimals(total / Double(answers.count) * 1_000_000, 0)) µs a look;",
            "\(decimals(most, 2)) processors in the fullest hour, all three together;",
            "the phones took \(decimals(ownProcessorTime, 1)) s"
        )
    }

    private func showRollback(_ wanted: Double) throws {
        let before = Set(
            answers.filter { $0.due + $0.duration < rollback }.compactMap { $0.answer?.tag }
        )
        let edges = Set(answers.map(\.edge)).sorted()
        let arrivals = try edges.map { edge in
            let fresh = answers.lazy.filter { answer in
                answer.edge == edge && answer.answer?.tag.map { !before.contains($0) } ?? false
            }
            return try known(fresh.map { $0.due + $0.duration }.min(), "the rollback at each edge")
        }
        let last = (arrivals.max() ?? 0) - rollback
        line(
            "a rollback at the peak was at the edges after "
                + arrivals.map { "\(Int(($0 - rollback) * 1000))" }.joined(separator: ", ") + " ms",
            "≤ \(Int(wanted * 1000))",
            last <= wanted
        )
        let back = answers.count { answer in
            answer.due > arrivals[answer.edge] && answer.answer?.tag.map(before.contains) ?? false
        }
        line("\(back) answers with what had been taken back, after that", "0", back == 0)
    }
}

import Foundation
import PlimsollAPI
import PlimsollDomain

/// The last thirty days of a value as a strip: what stood when, and what came by an emergency or a rollback.
struct ThresholdStrip {
    /// A stretch in which one value stood.
    struct Stretch: Equatable {
        let value: String?
        /// When it began; `nil` before the strip begins.
        let since: Instant?
        let kind: FieldOrigin.Kind?
    }

    static let length = Duration.seconds(30 * 86_400)
    private static let width = 600.0

    let stretches: [Stretch]
    private let begin: Instant
    private let end: Instant

    /// So many writes are shown; nobody tells more of them apart.
    static let writesMaximum = 30

    /// Takes the writes of a field, newest first, as its history has them, or the newest of them: what
    /// was before is not known then.
    init(_ writes: [FieldHistoryAnswer.Write], isWhole: Bool = true, until end: Instant) {
        begin = end.advanced(by: .zero - Self.length)
        self.end = end
        let begin = begin
        let recent = writes.prefix { $0.recordedAt > begin }
        let isKnown = isWhole || recent.count < writes.count
        let before = recent.last.map(\.change.before) ?? writes.first?.change.after
        let first = isKnown ? before : nil
        stretches =
            [Stretch(value: first?.description, since: nil, kind: nil)]
            + recent.reversed().map { write in
                Stretch(
                    value: write.change.after?.description,
                    since: write.recordedAt,
                    kind: write.origin.kind
                )
            }
    }

    func fields(_ visit: Visit) -> Fields {
        let ends = stretches.dropFirst().map { place(of: $0.since) } + [Self.width]
        return [
            "label": label(visit),
            "stretches": zip(stretches, ends).enumerated().map { index, pair in
                let (stretch, end) = pair
                let start = place(of: stretch.since)
                return Fields(all: [
                    "x": rounded(start), "mark": rounded(min(start, Self.width - 6)),
                    "isSet": stretch.value != nil, "width": rounded(max(end - start, 1)),
                    "text": end - start > 40 ? stretch.value : nil, "textX": rounded(start + 4),
                    "isOdd": !index.isMultiple(of: 2),
                    "isEmergency": stretch.kind == .emergency,
                    "isRollback": stretch.kind == .rollback,
                ])
            },
        ]
    }

    /// The strip in words, for those who do not see it.
    private func label(_ visit: Visit) -> String {
        let nothing = visit.language["table.notSet"]
        let parts = stretches.map { stretch in
            guard let since = stretch.since else { return stretch.value ?? nothing }
            let day = ShownTime(since, at: visit.now, visit.language).exact
            let kind =
                stretch.kind == .change || stretch.kind == nil
                ? "" : " (\(visit.language["kind.\(stretch.kind?.rawValue ?? "")"]))"
            return "\(day): \(stretch.value ?? nothing)\(kind)"
        }
        return "\(visit.language["overview.strip"]) \(parts.joined(separator: "; "))"
    }

    private func place(of instant: Instant?) -> Double {
        guard let instant else { return 0 }
        let past = Double(instant.millisecondsSince1970 - begin.millisecondsSince1970)
        let whole = Double(end.millisecondsSince1970 - begin.millisecondsSince1970)
        return min(max(past / whole, 0), 1) * Self.width
    }

    private func rounded(_ value: Double) -> String { String(format: "%.1f", value) }
}

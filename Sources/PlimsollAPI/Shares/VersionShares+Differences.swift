import PlimsollDomain

extension VersionShares {
    /// How many devices there are by another count, in all and then by their versions.
    func differences(to other: VersionShares) -> [Difference] {
        let (mine, theirs) = (counts, other.counts)
        let all = difference("devices", "devices", total, other.total)
        let members = mine.keys.sorted() + theirs.keys.filter { mine[$0] == nil }.sorted()
        return [all].compactMap(\.self)
            + members.compactMap { versions in
                let (member, subject) = ("devices.\(versions)", "devices with \(versions)")
                return difference(member, subject, mine[versions], theirs[versions])
            }
    }

    private func difference(
        _ member: String,
        _ subject: String,
        _ before: Int64?,
        _ after: Int64?
    ) -> Difference? {
        guard before != after else { return nil }
        return Difference(
            member: member,
            subject: subject,
            before: before?.description,
            after: after?.description
        )
    }

    /// `nil` where nothing was counted.
    private var total: Int64? { rows.isEmpty ? nil : devices }

    private var counts: [String: Int64] {
        Dictionary(rows.map { ($0.versions, $0.devices) }, uniquingKeysWith: +)
    }
}

extension VersionShares.Row {
    /// `3.1.0 on 15.4`.
    fileprivate var versions: String { app.description + (system.map { " on \($0)" } ?? "") }
}

/// Which snapshots are kept that are published no more.
package struct SnapshotRetention: Equatable, Sendable {
    /// Older ones may go, unless they are among the newest.
    package let days: Int
    /// So many of the newest of each app stay, however old: readers that lag behind find them.
    package let count: Int

    package static let daysRange = 1...36_500
    package static let countRange = 2...1_000_000

    /// Takes what an operator said; more than a year, and some, without a word.
    package init(days: Int? = nil, count: Int? = nil) {
        self.days = days ?? 400
        self.count = count ?? 50
        precondition(Self.daysRange.contains(self.days), "the days are in their range")
        precondition(Self.countRange.contains(self.count), "the count is in its range")
    }
}

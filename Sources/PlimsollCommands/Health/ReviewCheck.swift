import PlimsollAPI
import PlimsollDomain

/// Looks whether what was done in a hurry was looked at again in time.
struct ReviewCheck {
    let client: AdminClient

    private static let reviewsNamed = 5

    func finding() async -> Finding {
        do throws(AdminError) {
            let overdue = try await client.reviews(overdue: true, PageOptions(limit: 200))
            return Self.finding(overdue: overdue.reviews)
        } catch {
            return .bad("reviews", error, "Look again.")
        }
    }

    /// Takes the oldest first.
    static func finding(overdue reviews: [ReviewAnswer]) -> Finding {
        guard let oldest = reviews.map(\.order.due).min() else {
            return .good("reviews", "none is overdue")
        }
        let named = reviews.prefix(reviewsNamed).map { "\($0.position) of \($0.app)" }
        let rest = reviews.count > reviewsNamed ? " and others" : ""
        return .bad(
            "reviews",
            "overdue since \(oldest): \(named.joined(separator: ", "))\(rest)",
            "Have them closed by somebody else: plimsoll reviews --overdue."
        )
    }
}

import PlimsollAPI
import PlimsollDomain

/// Says what keeps changes from applying, so that nobody looks for another cause.
enum FreezeCheck {
    static func finding(_ apps: [AppAnswer]) -> Finding {
        let frozen = apps.filter { $0.freeze != nil }.map(\.slug.text)
        var ahead: [Position?: FreezePlanAnswer] = [:]
        for app in apps {
            for plan in app.freezePlans where plan.liesAhead(of: app.freeze) {
                ahead[plan.plan] = plan
            }
        }
        let next = ahead.values.min { $0.window.from < $1.window.from }
        let now = frozen.isEmpty ? "nothing is frozen" : "frozen: \(frozen.joined(separator: ", "))"
        let later = next.map {
            "; \(ahead.count) planned, the next from \($0.window.timeZone.shown($0.window.from))"
        }
        return .good("freezes", now + (later ?? ""))
    }
}

import Logging
import PlimsollDevices
import PlimsollDomain
import PlimsollMarketplace
import PlimsollTestSupport

let quiet = Logger(label: "devices") { _ in SwiftLogNoOpLogHandler() }

extension DeviceAuthorization {
    /// What it is, in a word or two.
    var text: String {
        switch self {
        case .granted(let account): "granted \(account ?? "-")"
        case .missing: "missing"
        case .refused: "refused"
        case .unavailable: "unavailable"
        case .later: "later"
        }
    }
}

/// What becomes of somebody who asks a marketplace for bearers, in the end.
func settled(
    _ authorizer: MarketplaceAuthorizer,
    _ bearer: String?,
    at now: Instant = testNow
) async -> String {
    let outcome = authorizer.decide(
        bearer: bearer,
        asking: closedMarketplace(),
        at: now
    )
    guard case .later(let ask) = outcome else { return outcome.text }
    return await ask().text
}

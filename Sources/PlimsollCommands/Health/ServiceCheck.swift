import PlimsollAPI
import PlimsollDomain

/// Looks at the administration: is it there, is its clock right, does the token live.
struct ServiceCheck {
    let client: AdminClient

    /// Signature dates and expiries are the service's; minutes matter, seconds do not.
    private static let clockDifferenceMaximum: Duration = .seconds(30)
    private static let tokenWarning: Duration = .seconds(7 * 86_400)

    /// Whether it does its work, and whether there is anybody to ask further.
    func readiness() async -> (finding: Finding, answers: Bool) {
        do throws(AdminError) {
            _ = try await client.readiness()
            return (.good("service", "\(client.address) is ready"), true)
        } catch {
            if error.problem?.isReadOnly == true {
                let remedy =
                    "Read “Restoring” in docs/operating/backup.md first; restore the right database,"
                    + " or give up what was lost."
                return (.bad("service", error, remedy), true)
            }
            let remedy = "Start it with plimsoll serve, or set PLIMSOLL_URL to where it is."
            return (.bad("service", error, remedy), false)
        }
    }

    func clock(now: Instant) async -> Finding {
        do {
            guard let text = try await client.clock(), let theirs = Instant(httpDate: text) else {
                return .bad("clock", "the service does not say its time", "Update the service.")
            }
            let difference = abs(now.millisecondsSince1970 - theirs.millisecondsSince1970) / 1000
            guard difference <= Self.clockDifferenceMaximum.components.seconds else {
                return .bad(
                    "clock",
                    "this machine and the service are \(difference) s apart",
                    "Let both follow a time server (timedatectl)."
                )
            }
            return .good("clock", "this machine and the service agree")
        } catch {
            return .bad("clock", error, "Look again.")
        }
    }

    func token(now: Instant) async -> Finding {
        do {
            let identity = try await client.identity()
            let name = identity.name.map { excerpt($0) } ?? identity.principal.text
            if let end = identity.expiresAt, end < now.advanced(by: Self.tokenWarning) {
                return .bad(
                    "token",
                    "the token of \(name) ends on \(end)",
                    "Create a new one with plimsoll token create."
                )
            }
            return .good("token", "you are \(name) with \(identity.roles.names)")
        } catch {
            return .bad("token", error, "Ask an administrator for a new token.")
        }
    }
}

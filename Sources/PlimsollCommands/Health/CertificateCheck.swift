import PlimsollDomain
import PlimsollEdge

/// Looks how long clients will take the certificate that phones are served with.
struct CertificateCheck {
    /// An absolute path.
    let file: String

    private static let remedy =
        "Put a new one into the same files; the edge takes it over without a restart."

    func finding(now: Instant) -> Finding {
        do {
            return Self.finding(end: try CertificateFile(file).end(), now: now)
        } catch {
            return .bad(
                "certificate",
                legible("\(error)"),
                "Name the file that the edge was given."
            )
        }
    }

    static func finding(end: Instant, now: Instant) -> Finding {
        guard end > now else {
            return .bad("certificate", "it ended on \(end), and phones refuse it", remedy)
        }
        guard end > now.advanced(by: CertificateFile.noticePeriod) else {
            return .bad("certificate", "it ends on \(end)", remedy)
        }
        return .good("certificate", "phones take it until \(end)")
    }
}

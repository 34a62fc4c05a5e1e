import PlimsollDomain
import PlimsollEdge

/// Looks whether clients take the certificate that phones are served with, and how long they will.
struct CertificateCheck {
    /// An absolute path.
    let file: String

    private static let remedy =
        "Put a new one into the same files; the edge takes it over without a restart."

    func finding(now: Instant) -> Finding {
        do {
            return Self.finding(try CertificateFile(file).validity(), now: now)
        } catch {
            return .bad(
                "certificate",
                legible("\(error)"),
                "Name the file that the edge was given."
            )
        }
    }

    static func finding(_ validity: CertificateFile.Validity, now: Instant) -> Finding {
        let (begin, end) = (validity.begin, validity.end)
        guard begin <= now else {
            return .bad(
                "certificate",
                "it is not valid before \(begin), and phones refuse it until then",
                "Put one that is valid by now into the same files, until this one is."
            )
        }
        guard end > now else {
            return .bad("certificate", "it ended on \(end), and phones refuse it", remedy)
        }
        guard end > now.advanced(by: CertificateFile.noticePeriod) else {
            return .bad("certificate", "it ends on \(end)", remedy)
        }
        return .good("certificate", "phones take it until \(end)")
    }
}

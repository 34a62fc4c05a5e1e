import PlimsollDomain

extension Instant {
    /// Reads the one form that senders may use: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
    init?(httpDate text: String) {
        let parts = text.split(separator: " ").map(String.init)
        guard
            parts.count == 6, parts[5] == "GMT", parts[1].count == 2, parts[3].count == 4,
            let month = CivilTime.months.firstIndex(of: parts[2])
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        self.init(rfc3339: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
    }
}

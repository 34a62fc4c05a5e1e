import Foundation

/// For how long an answer says that it is good.
struct CacheControl: Hashable {
    /// In seconds; `nil` where the answer says nothing.
    let freshFor: TimeInterval?

    init(_ answer: DocumentAnswer) {
        let directives = (answer["Cache-Control"] ?? "").lowercased().split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        if directives.contains("no-store") || directives.contains("no-cache") {
            freshFor = 0
            return
        }
        let ages = directives.compactMap { Self.seconds($0, "max-age=") }
        // A cache on the way says how much of the time is over.
        let age = answer["Age"].flatMap { Self.seconds($0, "") } ?? 0
        freshFor = ages.first.map { max(0, $0 - age) }
    }

    /// How long a service that refuses asks to be left alone; dates are not understood.
    static func retryAfter(_ answer: DocumentAnswer) -> TimeInterval? {
        answer["Retry-After"].flatMap { seconds($0, "") }
    }

    private static func seconds(_ text: String, _ prefix: String) -> TimeInterval? {
        guard text.hasPrefix(prefix) else { return nil }
        let digits = text.dropFirst(prefix.count).trimmingCharacters(in: ["\"", " "])
        guard (1...10).contains(digits.utf8.count) else { return nil }
        return Int(digits).flatMap { $0 >= 0 ? TimeInterval($0) : nil }
    }
}

import Foundation
import HTTPTypes

/// How much of an answer a caller would like to have, by the header `Prefer` (RFC 7240, 4.2).
enum ReturnPreference: String {
    /// Only that it was done.
    case minimal
    case representation

    /// `nil` where nothing is preferred; preferences that are not known are left out, as they
    /// have to be, and the first of several counts.
    init?(_ headers: HTTPFields) {
        let preferences = headers[values: .prefer].flatMap { $0.split(separator: ",") }
        let wishes = preferences.compactMap { preference -> String? in
            let words = preference.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard words.count == 2, words[0].lowercased() == "return" else { return nil }
            return words[1].trimmingCharacters(in: ["\""])
        }
        guard let wish = wishes.first else { return nil }
        self.init(rawValue: wish)
    }
}

extension HTTPField.Name {
    static let prefer = knownName("Prefer")
    static let preferenceApplied = knownName("Preference-Applied")
}

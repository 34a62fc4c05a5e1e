import Foundation
package import HTTPTypes
import Hummingbird
package import PlimsollAPI

/// What a caller would like to read, by the header `Accept` (RFC 9110, 12.5.1).
package struct Accept {
    private let ranges: [Range]

    private struct Range {
        let type: Substring
        let subtype: Substring
        let weight: Double

        /// The more exact of two ranges decides, whatever they weigh.
        var exactness: Int { (type == "*" ? 0 : 1) + (subtype == "*" ? 0 : 1) }

        func covers(_ media: ContentType) -> Bool {
            let parts = media.rawValue.split(separator: "/")
            return (type == "*" || type == parts[0]) && (subtype == "*" || subtype == parts[1])
        }
    }

    /// Without the header everything is welcome; a range that cannot be read is left out.
    package init(_ headers: HTTPFields) {
        let text = headers[values: .accept].joined(separator: ",").lowercased()
        let ranges = text.split(separator: ",").compactMap(Accept.range)
        self.ranges = text.isEmpty ? [Range(type: "*", subtype: "*", weight: 1)] : ranges
    }

    /// The best of the offers, the earlier one where two are equally welcome.
    package func best(of offers: [ContentType]) -> ContentType? {
        var best: (media: ContentType, weight: Double)?
        for offer in offers {
            let weight = weight(of: offer)
            if weight > best?.weight ?? 0 { best = (offer, weight) }
        }
        return best?.media
    }

    private func weight(of media: ContentType) -> Double {
        ranges.filter { $0.covers(media) }.max { $0.exactness < $1.exactness }?.weight ?? 0
    }

    private static func range(_ text: Substring) -> Range? {
        let parts = text.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
        guard let names = parts.first?.split(separator: "/"), names.count == 2 else { return nil }
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map {
            Double($0.dropFirst(2)) ?? 0
        }
        return Range(
            type: Substring(names[0]),
            subtype: Substring(names[1]),
            weight: weight ?? 1
        )
    }
}

/// Chooses the form of the answer before anything is done, so that nobody is told that something
/// cannot be said after it has happened.
struct Negotiation: RouterMiddleware {
    let offers: [ContentType]

    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        guard let format = Accept(request.headers).best(of: offers) else {
            let names = offers.map(\.rawValue).joined(separator: " or ")
            throw Problem(.notAcceptable, detail: "This can be answered as \(names) only.")
        }
        var context = context
        context.format = format
        return try await next(request, context)
    }
}

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

public import Foundation

/// How often a client asks for the document; all times are in seconds.
///
/// After a good answer it waits for as long as `Cache-Control` says that the answer is good, but
/// neither less than ``shortest`` nor more than ``longest``. After a failure it waits for
/// ``firstRetry``, then twice as long each time, or for as long as `Retry-After` says where that is
/// more, and never longer than ``longest``. To every pause up to ``jitter`` of it is added at
/// random, so that the phones of a country do not all ask in the same second.
public struct RefreshPolicy: Hashable, Sendable {
    /// The least pause between two good answers.
    public var shortest: TimeInterval
    /// The longest pause, before jitter.
    public var longest: TimeInterval
    /// The pause after the first failure.
    public var firstRetry: TimeInterval
    /// The share of a pause that is added to it at most, from 0 to 1.
    public var jitter: Double

    /// A minute at least, two hours at most, and 15 seconds after a first failure.
    public init(
        shortest: TimeInterval = 60,
        longest: TimeInterval = 7200,
        firstRetry: TimeInterval = 15,
        jitter: Double = 0.2
    ) {
        self.shortest = shortest
        self.longest = longest
        self.firstRetry = firstRetry
        self.jitter = jitter
    }

    /// The pause after a good answer; `chance` is from 0 to 1.
    func pause(freshFor: TimeInterval?, chance: Double) -> TimeInterval {
        let wanted = freshFor ?? longest
        return spread(min(max(wanted, shortest), longest), chance)
    }

    /// The pause after so many failures in a row; `chance` is from 0 to 1.
    func pause(failures: Int, retryAfter: TimeInterval?, chance: Double) -> TimeInterval {
        // Beyond 2^20 every pause is the longest one.
        let doubled = firstRetry * pow(2, Double(min(max(failures - 1, 0), 20)))
        return spread(min(max(doubled, retryAfter ?? 0), longest), chance)
    }

    /// Never longer than this, whatever the clock does meanwhile.
    var bound: TimeInterval { max(longest, shortest) * (1 + jitter) }

    private func spread(_ pause: TimeInterval, _ chance: Double) -> TimeInterval {
        pause * (1 + jitter * chance)
    }
}

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

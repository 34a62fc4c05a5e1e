import Foundation
import PlimsollAPI
import PlimsollDomain

/// The address of a service that somebody else runs and this one asks: `https://login.example.com/keys`.
package struct OutsideAddress: Equatable, Sendable, CustomStringConvertible {
    package let text: String

    package static let grammar =
        "an address that begins with https://, or with http:// on this machine, without user, query"
        + " and fragment"

    /// Whoever answers unencrypted has to be on this machine.
    package init?(_ text: String) {
        guard let address = ServiceAddress(text), let host = URLComponents(string: text)?.host
        else { return nil }
        guard
            text.lowercased().hasPrefix("https://")
                || ["127.0.0.1", "[::1]", "::1", "localhost"].contains(host)
        else { return nil }
        self.text = address.text
    }

    package var description: String { text }
}

/// Asks a service that somebody else runs, within a time and a size, whatever it does meanwhile.
struct OutsideService: Sendable {
    let timeout: Duration
    let bytesMaximum: Int

    /// The answer, whatever its status.
    ///
    /// Redirects are answers like any other. The whole answer has to be there within the time: a
    /// service that sends a byte now and then does not hold anybody.
    func answer(to request: WebRequest) async -> Result<WebAnswer, OutsideFailure> {
        let limits = Transport.Limits(
            connectTimeout: min(timeout, .seconds(5)),
            answerTimeout: timeout,
            bytesMaximum: bytesMaximum
        )
        let answer = await within(timeout) {
            do {
                let answer = try await Transport.with(limits) {
                    try await $0.send(request)
                }
                return Result<WebAnswer, OutsideFailure>.success(answer)
            } catch {
                return .failure(OutsideFailure("it does not answer"))
            }
        }
        return answer ?? .failure(OutsideFailure("it takes too long"))
    }
}

/// Why a service that was asked is of no help; the reason is the same phrase each time.
struct OutsideFailure: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Whether a service that failed is asked again yet.
///
/// After some failures in a row it is left alone for a while; then one question finds out whether
/// it is back.
struct CircuitBreaker: Sendable {
    private var failures = 0
    private var closedUntil: Instant?

    private static let failuresMaximum = 5
    private static let pause: Duration = .seconds(10)

    mutating func admits(at now: Instant) -> Bool {
        guard let until = closedUntil else { return true }
        // A clock that was set back says nothing of the service.
        guard now >= until || until > now.advanced(by: Self.pause) else { return false }
        // This one finds out; the others wait for what it finds.
        closedUntil = now.advanced(by: Self.pause)
        return true
    }

    mutating func succeeded() {
        (failures, closedUntil) = (0, nil)
    }

    mutating func failed(at now: Instant) {
        failures = min(failures + 1, Self.failuresMaximum)
        if failures == Self.failuresMaximum { closedUntil = now.advanced(by: Self.pause) }
    }
}

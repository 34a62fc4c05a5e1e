import Foundation
package import PlimsollAPI
package import PlimsollDomain
import PlimsollJSON

/// Asks App Store Connect where what is to be fetched lies, and waits where it is asked to.
package struct ConnectClient: Sendable {
    private let origin: String
    private let key: ConnectKey
    private let transport: Transport
    private let clock: IngestionClock

    package static let usualOrigin = "https://api.appstoreconnect.apple.com"
    package static let limits = Transport.Limits(
        connectTimeout: .seconds(10),
        answerTimeout: .seconds(60),
        bytesMaximum: 64 << 20
    )

    package init(
        _ origin: String = usualOrigin,
        key: ConnectKey,
        over transport: Transport,
        clock: IngestionClock
    ) {
        (self.origin, self.key, self.transport, self.clock) = (origin, key, transport, clock)
    }

    /// What App Store Connect keeps: a version of a package, or a file of one.
    package enum Resource: Equatable, Sendable {
        case version(PackageID)
        case variant(PackageID)
        case delta(PackageID)

        fileprivate var path: String {
            switch self {
            case .version(let id): "alternativeDistributionPackageVersions/\(id)"
            case .variant(let id): "alternativeDistributionPackageVariants/\(id)"
            case .delta(let id): "alternativeDistributionPackageDeltas/\(id)"
            }
        }
    }

    /// Where something lies for a while.
    package struct Location: Equatable, Sendable {
        package let url: String
        package let expiresAt: Instant?
        /// What its licences need; base64.
        package let keyBlob: String?
        package let state: String?
    }

    /// Where a resource lies now.
    package func location(of resource: Resource) async throws -> Location {
        let url = "\(origin)/v1/\(resource.path)"
        let answer = try await persistently(clock) {
            let token = try key.token(at: clock.now())
            return try await transport.send(
                WebRequest(
                    .get,
                    url,
                    headers: [
                        (name: "authorization", value: "Bearer \(token)"),
                        (name: "accept", value: "application/json"),
                    ]
                )
            )
        }
        switch answer.status {
        case 200: break
        case 401, 403: throw IngestionFailure.notLetIn(status: answer.status)
        case 404: throw IngestionFailure.unknown(resource.path)
        default: throw IngestionFailure.answered(status: answer.status, resource.path)
        }
        guard let location = Location(answer.body) else {
            throw IngestionFailure.notUnderstood(resource.path)
        }
        if let state = location.state, state != "COMPLETED" {
            throw IngestionFailure.notReady(state)
        }
        return location
    }

    /// The whole of a small file, such as the archive with a manifest and its signature.
    package func bytes(at location: Location) async throws -> [UInt8] {
        let answer = try await persistently(clock) {
            try await transport.send(WebRequest(.get, location.url))
        }
        guard answer.status == 200 else {
            throw IngestionFailure.answered(status: answer.status, "a file")
        }
        return answer.body
    }
}

extension ConnectClient.Location {
    fileprivate init?(_ body: [UInt8]) {
        let limits = JSONLimits(sizeMaximum: 1 << 20)
        let value = try? JSONValue(parsing: body, limits: limits)
        guard let attributes = value?["data"]?["attributes"]?.object,
            let url = attributes["url"]?.string, !url.isEmpty
        else { return nil }
        self.init(
            url: url,
            expiresAt: attributes["urlExpirationDate"]?.string.flatMap { Instant(rfc3339: $0) },
            keyBlob: attributes["alternativeDistributionKeyBlob"]?.string.flatMap {
                $0.isEmpty ? nil : $0
            },
            state: attributes["state"]?.string
        )
    }
}

/// The time, and how to wait for it; tests have their own.
package struct IngestionClock: Sendable {
    package let now: @Sendable () -> Instant
    package let sleep: @Sendable (Duration) async throws -> Void

    package init(
        now: @escaping @Sendable () -> Instant,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        (self.now, self.sleep) = (now, sleep)
    }

    package static let system = IngestionClock(
        now: { Instant(Date.now) },
        sleep: { try await Task.sleep(for: $0) }
    )
}

/// How long to wait before something is tried again: each time twice as long, and never less than
/// whoever is asked wants.
struct Pauses {
    private var count = 0

    static let attemptsMaximum = 8
    static let first = Duration.seconds(1)
    static let maximum = Duration.seconds(60)
    /// Whoever wants more than this is left alone for now.
    static let wantedMaximum = Duration.seconds(300)

    /// `nil` where it was tried often enough.
    mutating func next(wanted: Duration? = nil) -> Duration? {
        count += 1
        let isPatient = wanted ?? .zero <= Self.wantedMaximum
        guard count < Self.attemptsMaximum, isPatient else { return nil }
        let own = min(Self.first * (1 << min(count - 1, 10)), Self.maximum)
        return max(own * Double.random(in: 0.75...1), wanted ?? .zero)
    }

    mutating func reset() { count = 0 }
}

/// Asks again where the answer is that it is too much or too early, or where there is none.
func persistently(
    _ clock: IngestionClock,
    _ ask: () async throws -> WebAnswer
) async throws -> WebAnswer {
    var pauses = Pauses()
    while true {
        let wanted: Duration?
        let failure: any Error
        do {
            let answer = try await ask()
            guard answer.isBusy else { return answer }
            (wanted, failure) = (
                answer.retryAfter,
                IngestionFailure.answered(status: answer.status, "what was asked for")
            )
        } catch let error as AdminError {
            guard error.isPassing else { throw error }
            (wanted, failure) = (nil, error)
        }
        guard let pause = pauses.next(wanted: wanted) else { throw failure }
        try await clock.sleep(pause)
    }
}

extension WebAnswer {
    /// Whether the same may be answered otherwise in a while.
    var isBusy: Bool { status == 429 || status >= 500 }

    /// In seconds; a date is not read, and what is not said is ours to choose.
    var retryAfter: Duration? {
        header("retry-after").flatMap { Int($0) }.flatMap { $0 >= 0 ? .seconds($0) : nil }
    }
}

extension AdminError {
    /// Whether it may go better in a while.
    var isPassing: Bool {
        switch kind {
        case .unreachable, .interrupted, .timedOut: true
        case .refused, .answerTooLarge, .notUnderstood, .cancelled: false
        }
    }
}

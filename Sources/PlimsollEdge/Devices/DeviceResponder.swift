package import PlimsollMarketplace

/// Answers what devices ask that install from a marketplace.
package protocol DeviceResponder: Sendable {
    /// The answer; `nil` where `deliver` is given it later, once, whatever happens.
    ///
    /// It is called on a thread that answers phones, so it MUST NOT wait.
    func answer(
        _ post: DevicePost,
        deliver: @escaping @Sendable (DeviceReply) -> Void
    ) -> DeviceReply?
}

/// What an address of a marketplace is for.
package enum DeviceAddress: String, CaseIterable, Sendable {
    case restore
    case updates
    case dynamicLicense
    case licenseRenewal
    /// Where the marketplace's own app asks, on every domain of the marketplace.
    case installToken
}

/// A request with a body, at an address that a marketplace's configuration names.
package struct DevicePost: Sendable {
    package let address: DeviceAddress
    /// What the marketplace hands out, of the very snapshots that its configuration is served from.
    package let storefront: Storefront
    /// The `Authorization` field.
    package let authorization: String?
    package let body: [UInt8]

    package init(
        _ address: DeviceAddress,
        of storefront: Storefront,
        authorization: String? = nil,
        body: [UInt8]
    ) {
        (self.address, self.storefront) = (address, storefront)
        (self.authorization, self.body) = (authorization, body)
    }
}

/// What a device is answered.
package struct DeviceReply: Equatable, Sendable {
    package let status: AnswerStatus
    package let mediaType: String
    package let body: [UInt8]
    /// What a 401 says of how to ask.
    package let challenge: String?

    package init(
        _ status: AnswerStatus,
        mediaType: String = json,
        body: [UInt8],
        challenge: String? = nil
    ) {
        (self.status, self.mediaType, self.body) = (status, mediaType, body)
        self.challenge = challenge
    }
}

extension DeviceReply {
    /// As it is sent: nothing that a device is told is for anybody else.
    var prepared: PreparedAnswer {
        let isUsual = status == .ok && mediaType == Self.json && challenge == nil
        let head = isUsual ? Self.usualHead : head
        return PreparedAnswer(head, body: body)
    }

    package static let json = "application/json"
    /// Nearly all answers have it.
    private static let usualHead = DeviceReply(.ok, body: []).head

    private var head: AnswerHead {
        var fields = [("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")]
        if let challenge { fields.append(("WWW-Authenticate", challenge)) }
        if status.code == 503 { fields.append(("Retry-After", StandardAnswers.retrySeconds)) }
        return AnswerHead(status: status, mediaType: mediaType, fields: fields)
    }
}

/// A place among those whose large bodies are on their way; it is given back when nobody holds it.
final class BodyPlace: Sendable {
    private let places: Admission

    /// Smaller bodies weigh no more than a head does, and need no place.
    static let smallMaximum = 16_384

    /// `nil` where as many are on their way as may be.
    init?(among places: Admission) {
        guard places.enter() else { return nil }
        self.places = places
    }

    deinit { places.leave() }
}

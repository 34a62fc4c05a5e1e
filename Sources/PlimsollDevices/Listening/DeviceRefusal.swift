package import PlimsollEdge
package import PlimsollJSON
package import PlimsollMarketplace

/// Why a device is answered nothing of what it asked for.
package enum DeviceRefusal: Equatable, Sendable {
    /// Nobody says who asks, and the marketplace wants to know.
    case noBearer
    case bearerRefused
    /// Who knows of tokens cannot be asked.
    case nobodyToAsk
    /// What was published last may have been replaced long ago.
    case expired
    case malformed(JSONIssues)
    /// What the marketplace's own app wants a token for cannot be had.
    case unavailable(FailureReason)
    /// No key signs what a device wants to see before it installs something.
    case noTokens
    /// Nobody here makes licences.
    case noLicenses
    /// Whoever makes licences could do nothing with the request.
    case licenseRejected
    /// Whoever makes licences does not answer.
    case licensesAway
    /// Too many wait already.
    case crowded

    /// What it is counted as.
    package var name: String {
        switch self {
        case .noBearer: "noBearer"
        case .bearerRefused: "bearerRefused"
        case .nobodyToAsk: "nobodyToAsk"
        case .expired: "expired"
        case .malformed: "malformed"
        case .unavailable(let reason): reason.rawValue
        case .noTokens: "noTokens"
        case .noLicenses: "noLicenses"
        case .licenseRejected: "licenseRejected"
        case .licensesAway: "licensesAway"
        case .crowded: "crowded"
        }
    }

    static let names =
        [
            "noBearer", "bearerRefused", "nobodyToAsk", "expired", "malformed", "noTokens",
            "noLicenses", "licenseRejected", "licensesAway", "crowded",
        ] + FailureReason.allCases.map(\.rawValue)
}

extension DeviceRefusal {
    private var status: AnswerStatus {
        switch self {
        case .noBearer: .unauthorized
        case .bearerRefused: .forbidden
        case .malformed, .licenseRejected: .malformed
        case .unavailable: .notFound
        case .noLicenses: .notImplemented
        case .nobodyToAsk, .expired, .noTokens, .licensesAway, .crowded: .unavailable
        }
    }

    private var detail: String {
        switch self {
        case .noBearer: "This marketplace answers whoever sends a token as Authorization: Bearer."
        case .bearerRefused: "The token is of no use here, or has expired."
        case .nobodyToAsk: "Whether the token is good cannot be told at present; ask again later."
        case .expired:
            "What is known here of the marketplace has expired, and may not be true any more; ask again"
                + " later."
        case .malformed(let issues): issues.issues.first?.description ?? "The body is malformed."
        case .noTokens:
            "No key signs install verification tokens for this marketplace at present; its operator"
                + " has to name one."
        case .unavailable(let reason): reason.sentence
        case .noLicenses: "Nobody here makes licences."
        case .licenseRejected: "Nothing in the request for licences could be used."
        case .licensesAway: "Whoever makes licences does not answer at present; ask again later."
        case .crowded: "Too many wait for answers already; ask again later."
        }
    }

    /// A problem of RFC 9457: for people who look, since devices go by the status.
    package var reply: DeviceReply {
        var json: JSONObject = [
            "title": .string(status.reason), "status": .integer(Int64(status.code)),
            "detail": .string(detail),
        ]
        if case .malformed(let issues) = self {
            json["errors"] = .array(
                issues.issues.map { issue in
                    ["pointer": .string("\(issue.pointer)"), "detail": .string(issue.detail)]
                }
            )
        }
        return DeviceReply(
            status,
            mediaType: "application/problem+json",
            body: json.canonicalBytes(),
            challenge: status == .unauthorized ? "Bearer" : nil
        )
    }
}

package import PlimsollEdge
package import PlimsollJSON

/// Why a device is answered nothing of what it asked for.
package enum DeviceRefusal: Equatable, Sendable {
    /// Nobody says who asks, and the marketplace wants to know.
    case noBearer
    case bearerRefused
    /// Who knows of tokens cannot be asked.
    case nobodyToAsk
    case malformed(JSONIssues)
    /// No key signs what a device wants to see before it installs something.
    case noTokens
    case noLicenses
    /// Too many wait already.
    case crowded

    /// What it is counted as.
    package var name: String {
        switch self {
        case .noBearer: "noBearer"
        case .bearerRefused: "bearerRefused"
        case .nobodyToAsk: "nobodyToAsk"
        case .malformed: "malformed"
        case .noTokens: "noTokens"
        case .noLicenses: "noLicenses"
        case .crowded: "crowded"
        }
    }

    static let names = [
        "noBearer", "bearerRefused", "nobodyToAsk", "malformed", "noTokens", "noLicenses",
        "crowded",
    ]
}

extension DeviceRefusal {
    private var status: AnswerStatus {
        switch self {
        case .noBearer: .unauthorized
        case .bearerRefused: .forbidden
        case .malformed: .malformed
        case .noLicenses: .notFound
        case .nobodyToAsk, .noTokens, .crowded: .unavailable
        }
    }

    private var detail: String {
        switch self {
        case .noBearer: "This marketplace answers whoever sends a token as Authorization: Bearer."
        case .bearerRefused: "The token is of no use here, or has expired."
        case .nobodyToAsk: "Whether the token is good cannot be told at present; ask again later."
        case .malformed(let issues): issues.issues.first?.description ?? "The body is malformed."
        case .noTokens:
            "No key signs install verification tokens for this marketplace at present; its operator"
                + " has to name one."
        case .noLicenses: "Licences are not answered here."
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

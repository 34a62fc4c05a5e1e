import Crypto
package import PlimsollDomain

/// A request to one of Amazon's services, before it is signed.
package struct AmazonRequest: Equatable, Sendable {
    package let method: String
    /// `https://` or `http://`, without anything after the host and port.
    package let origin: String
    /// Begins with a slash; as it goes over the wire, escapes included.
    package let path: String
    /// As they go over the wire, escapes included.
    package var query: [Field] = []
    /// `Host` and what signing adds are not among them.
    package var headers: [Field] = []
    package var body: [UInt8] = []

    /// A name and a value, of a header or of the query.
    package struct Field: Equatable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(_ method: String, _ origin: String, _ path: String) {
        self.method = method
        self.origin = origin
        self.path = path
    }

    /// As the header has it: without the port that the scheme stands for.
    package var host: String {
        let isSecure = origin.lowercased().hasPrefix("https://")
        let authority = origin.firstRange(of: "://").map { origin[$0.upperBound...] } ?? origin[...]
        let usualPort = isSecure ? ":443" : ":80"
        return String(
            authority.hasSuffix(usualPort) ? authority.dropLast(usualPort.count) : authority
        )
    }

    package var url: String {
        let pairs = query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return origin + path + (pairs.isEmpty ? "" : "?\(pairs)")
    }
}

/// Why a service of Amazon's did not do what it was asked for.
///
/// The reasons are phrases that are the same each time the same thing happens.
package enum AmazonFailure: Error, Hashable, Sendable {
    /// It cannot be reached, or is too busy; asked again, it may do it.
    case away(String)
    /// It answered that it will not.
    case refused(String)
    /// What it answered makes no sense.
    case notUnderstood
}

extension AmazonFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .away(let reason), .refused(let reason): reason
        case .notUnderstood: "what it answered makes no sense"
        }
    }
}

/// What requests to Amazon's services are signed with.
package struct AmazonCredentials: Equatable, Sendable {
    package let accessKeyID: String
    let secretAccessKey: String
    /// Of credentials that end after some hours.
    let sessionToken: String?

    package init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }

    /// Takes them from where Amazon's own tools do: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`
    /// and `AWS_SESSION_TOKEN`; `nil` where they are not whole.
    package init?(environment: [String: String]) {
        guard
            let id = environment["AWS_ACCESS_KEY_ID"], !id.isEmpty,
            let secret = environment["AWS_SECRET_ACCESS_KEY"], !secret.isEmpty
        else { return nil }
        let token = environment["AWS_SESSION_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
        self.init(accessKeyID: id, secretAccessKey: secret, sessionToken: token)
    }
}

extension AmazonCredentials: CustomStringConvertible, CustomDebugStringConvertible {
    /// The secrets are left out.
    package var description: String { "credentials \(accessKeyID)" }
    package var debugDescription: String { description }
}

/// Signs requests as Amazon's services check them: AWS Signature Version 4.
///
/// Every header that is given is signed, so nobody on the way can change one: neither what a
/// document is signed with nor the condition that it is written under.
///
/// https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html
package struct RequestSigner: Sendable {
    private let credentials: AmazonCredentials
    private let region: String
    private let service: String

    private static let algorithm = "AWS4-HMAC-SHA256"
    private static let terminator = "aws4_request"
    /// The one service that wants the digest of the body in a header of its own.
    private static let store = "s3"

    package init(_ credentials: AmazonCredentials, region: String, service: String) {
        self.credentials = credentials
        self.region = region
        self.service = service
    }

    /// All headers that the request goes out with: its own, the host, the time and the signature
    /// over them.
    package func headers(
        for request: AmazonRequest,
        at now: Instant
    ) -> [AmazonRequest.Field] {
        let time = Self.time(now)
        var headers =
            request.headers + [
                AmazonRequest.Field("Host", request.host),
                AmazonRequest.Field("X-Amz-Date", time),
            ]
        if service == Self.store {
            headers.append(AmazonRequest.Field("X-Amz-Content-SHA256", digest(request.body)))
        }
        if let token = credentials.sessionToken {
            headers.append(AmazonRequest.Field("X-Amz-Security-Token", token))
        }
        let canonical = CanonicalRequest(request, headers)
        let scope = [String(time.prefix(8)), region, service, Self.terminator]
        let place = scope.joined(separator: "/")
        let text = [Self.algorithm, time, place, digest(canonical.bytes)].joined(separator: "\n")
        let authorization =
            "\(Self.algorithm) Credential=\(credentials.accessKeyID)/\(place),"
            + " SignedHeaders=\(canonical.signedHeaders), Signature=\(signature(text, scope))"
        return headers + [AmazonRequest.Field("Authorization", authorization)]
    }

    private func signature(_ text: String, _ scope: [String]) -> String {
        var key = SymmetricKey(data: Array("AWS4\(credentials.secretAccessKey)".utf8))
        for part in scope {
            key = SymmetricKey(data: code(part, key))
        }
        return hex(code(text, key))
    }

    private func code(
        _ text: String,
        _ key: SymmetricKey
    ) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
    }

    /// `20260921T141320Z`.
    private static func time(_ instant: Instant) -> String {
        String(instant.rfc3339.prefix(19)).filter { $0 != "-" && $0 != ":" } + "Z"
    }
}

/// The one spelling of a request that both sides hash.
private struct CanonicalRequest {
    let bytes: [UInt8]
    let signedHeaders: String

    init(_ request: AmazonRequest, _ headers: [AmazonRequest.Field]) {
        let sorted = headers.map { ($0.name.lowercased(), Self.trimmed($0.value)) }
            .sorted { $0.0 < $1.0 }
        signedHeaders = sorted.map(\.0).joined(separator: ";")
        let query = request.query.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
            .map { "\($0.name)=\($0.value)" }
        let lines = [
            request.method, request.path, query.joined(separator: "&"),
            sorted.map { "\($0.0):\($0.1)\n" }.joined(), signedHeaders,
            digest(request.body),
        ]
        bytes = Array(lines.joined(separator: "\n").utf8)
    }

    /// Without blanks at its ends, and with one where there were several.
    private static func trimmed(_ value: String) -> String {
        value.split(separator: " ").joined(separator: " ")
    }
}

private func digest(_ bytes: [UInt8]) -> String { hex(SHA256.hash(data: bytes)) }

private func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

import Crypto
package import Foundation

/// Checks the signature of a request as Amazon's services do (AWS Signature Version 4).
///
/// It shares no line with what signs, so that both cannot be wrong in the same way.
package struct AmazonSignatureCheck: Sendable {
    package let accessKeyID: String
    package let secretAccessKey: String
    package let sessionToken: String?

    package init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
    }

    /// A request as it came over the wire; names of headers are in small letters.
    package struct Request: Sendable {
        let method: String
        let path: String
        let headers: [String: String]
        let body: [UInt8]

        package init(
            method: String,
            path: String,
            headers: [String: String],
            body: [UInt8]
        ) {
            self.method = method
            self.path = path
            self.headers = headers
            self.body = body
        }
    }

    /// The name of the error that is answered; `nil` where the signature holds.
    package func refusal(of request: Request, at now: Date) -> String? {
        guard let authorization = Authorization(request.headers["authorization"] ?? "") else {
            return "MissingAuthenticationTokenException"
        }
        guard
            authorization.accessKeyID == accessKeyID,
            request.headers["x-amz-security-token"] == sessionToken
        else { return "UnrecognizedClientException" }
        let needed = request.headers.keys.filter {
            $0.hasPrefix("x-amz-") || $0 == "content-type" || $0 == "host"
        }
        guard
            Set(needed).isSubset(of: authorization.signedHeaders),
            authorization.signedHeaders.contains("host"),
            let time = request.headers["x-amz-date"], let date = Self.date(time),
            time.hasPrefix(authorization.date)
        else { return "IncompleteSignatureException" }
        guard abs(date.timeIntervalSince(now)) <= 300 else { return "InvalidSignatureException" }
        let expected = signature(of: request, authorization, time)
        return authorization.signature == expected ? nil : "InvalidSignatureException"
    }

    private func signature(
        of request: Request,
        _ authorization: Authorization,
        _ time: String
    ) -> String {
        var canonical = "\(request.method)\n\(request.path)\n\n"
        for name in authorization.signedHeaders {
            canonical += "\(name):\(request.headers[name] ?? "")\n"
        }
        canonical += "\n\(authorization.signedHeaders.joined(separator: ";"))\n"
        canonical += digits(SHA256.hash(data: Data(request.body)))
        let scope = authorization.scope.joined(separator: "/")
        let digest = digits(SHA256.hash(data: Data(canonical.utf8)))
        let text = "AWS4-HMAC-SHA256\n\(time)\n\(scope)\n\(digest)"
        var key = Data("AWS4\(secretAccessKey)".utf8)
        for part in authorization.scope + [text] {
            let code = HMAC<SHA256>.authenticationCode(
                for: Data(part.utf8),
                using: SymmetricKey(data: key)
            )
            key = Data(Array(code))
        }
        return digits(key)
    }

    private static func date(_ time: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "yyyyMMdd'T'HHmmss'Z'"
        return formatter.date(from: time)
    }
}

/// What the header says.
private struct Authorization {
    let accessKeyID: String
    /// Date, region, service and `aws4_request`.
    let scope: [String]
    let signedHeaders: [String]
    let signature: String

    var date: String { scope[0] }

    init?(_ header: String) {
        let parts = header.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[0] == "AWS4-HMAC-SHA256" else { return nil }
        var members: [String: String] = [:]
        for part in parts[1].components(separatedBy: ", ") {
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            if pair.count == 2 { members[pair[0]] = pair[1] }
        }
        let credential = (members["Credential"] ?? "").components(separatedBy: "/")
        guard
            credential.count == 5, credential[4] == "aws4_request",
            let headers = members["SignedHeaders"], let signature = members["Signature"]
        else { return nil }
        accessKeyID = credential[0]
        scope = Array(credential.dropFirst())
        signedHeaders = headers.components(separatedBy: ";")
        self.signature = signature
    }
}

private func digits(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
}

import Crypto
import PlimsollDocuments
package import PlimsollDomain

/// Signs requests as AWS, and whatever speaks its protocols, wants them: Signature Version 4.
///
/// Every header that is given is signed, so nobody on the way can change one: neither what a
/// document is signed with nor the condition that it is written under.
package struct RequestSigner: Sendable {
    /// What is signed of a request, beside its body.
    package struct Request: Sendable {
        package let method: String
        /// With the port where it is not the usual one, as the header `Host` has it.
        package let host: String
        /// As it stands in the request, percent signs and all.
        package let path: String
        /// The same, sorted by its names; empty where there is none.
        package let query: String
        package let headers: [(name: String, value: String)]

        package init(
            _ method: String,
            host: String,
            path: String,
            query: String = "",
            headers: [(name: String, value: String)] = []
        ) {
            self.method = method
            self.host = host
            self.path = path
            self.query = query
            self.headers = headers
        }
    }

    private let credentials: StoreCredentials
    private let region: String
    private let service: String

    private static let algorithm = "AWS4-HMAC-SHA256"

    package init(_ credentials: StoreCredentials, region: String, service: String = "s3") {
        self.credentials = credentials
        self.region = region
        self.service = service
    }

    /// The headers to send: those of the request, and those that make it authentic.
    package func headers(
        of request: Request,
        body: [UInt8],
        at now: Instant
    ) -> [(name: String, value: String)] {
        let time = timeText(now)
        let digest = ContentDigest(of: body).hex
        var headers = request.headers
        headers.append((name: "host", value: request.host))
        headers.append((name: "x-amz-content-sha256", value: digest))
        headers.append((name: "x-amz-date", value: time))
        if let token = credentials.sessionToken {
            headers.append((name: "x-amz-security-token", value: token))
        }
        let (canonical, names) = canonicalText(of: request, headers, digest)
        let day = String(time.prefix(8))
        let scope = "\(day)/\(region)/\(service)/aws4_request"
        let signed = [Self.algorithm, time, scope, ContentDigest(of: Array(canonical.utf8)).hex]
            .joined(separator: "\n")
        let signature = code(of: signed, key: signingKey(day)).map(hexadecimal).joined()
        let proof = [
            "\(Self.algorithm) Credential=\(credentials.accessKey)/\(scope)",
            "SignedHeaders=\(names)", "Signature=\(signature)",
        ]
        headers.append((name: "authorization", value: proof.joined(separator: ", ")))
        return headers
    }

    private func canonicalText(
        of request: Request,
        _ headers: [(name: String, value: String)],
        _ digest: String
    ) -> (text: String, names: String) {
        let sorted = headers.map { (name: $0.name.lowercased(), value: withoutRuns($0.value)) }
            .sorted { $0.name < $1.name }
        let names = sorted.map(\.name).joined(separator: ";")
        let lines = sorted.map { "\($0.name):\($0.value)\n" }.joined()
        let parts = [request.method, request.path, request.query, lines, names, digest]
        return (parts.joined(separator: "\n"), names)
    }

    private func signingKey(_ day: String) -> [UInt8] {
        [day, region, service, "aws4_request"]
            .reduce(Array("AWS4\(credentials.secretKey)".utf8)) { code(of: $1, key: $0) }
    }

    private func code(of text: String, key: [UInt8]) -> [UInt8] {
        Array(
            HMAC<SHA256>.authenticationCode(
                for: Array(text.utf8),
                using: SymmetricKey(data: key)
            )
        )
    }
}

/// Blanks at the ends go, and several in a row are one.
private func withoutRuns(_ value: String) -> String {
    value.split(separator: " ").joined(separator: " ")
}

/// `20261122T003005Z`.
private func timeText(_ now: Instant) -> String {
    let time = CivilTime(now)
    let date = padded(time.year, to: 4) + [time.month, time.day].map { padded($0, to: 2) }.joined()
    let clock = [time.hour, time.minute, time.second].map { padded($0, to: 2) }.joined()
    return "\(date)T\(clock)Z"
}

private func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

private func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
}

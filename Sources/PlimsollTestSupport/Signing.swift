package import Crypto
package import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PlimsollSystem
import Synchronization

/// Stands in for AWS KMS on a real socket: checks who asks, and signs digests as they are.
///
/// OpenSSL signs for it, so that a digest that somebody hashes once more is found out.
package final class StandInKeyService: Sendable {
    /// What it is like at present.
    package enum Behavior: Sendable {
        case well
        /// Answers everything with this.
        case refusing(status: Int, type: String)
        /// Signs with a key of its own.
        case forging
        /// Answers something that is no signature.
        case babbling
        /// Has another key, of which it says this.
        case keeping(publicKey: Data, algorithm: String)
    }

    private struct State {
        var behavior = Behavior.well
        var actions: [String] = []
    }

    package let keyName: String
    package let key = P256.Signing.PrivateKey()
    private let check: AmazonSignatureCheck
    private let state = Mutex(State())

    private init(_ keyName: String, _ check: AmazonSignatureCheck) {
        self.keyName = keyName
        self.check = check
    }

    /// What it was asked to do, such as `Sign`.
    package var actions: [String] { state.withLock { $0.actions } }

    package func change(to behavior: Behavior) { state.withLock { $0.behavior = behavior } }

    /// Runs the body while the service answers at the address, for one key.
    package static func with(
        keyName: String,
        _ check: AmazonSignatureCheck,
        _ body: (StandInKeyService, _ endpoint: String) async throws -> Void
    ) async throws {
        let service = StandInKeyService(keyName, check)
        try await withStandIn(
            { try await service.response(to: $0) },
            { try await body(service, $0) }
        )
    }

    private func response(to request: StandInRequest) async throws -> Response {
        let target = request.headers["x-amz-target"] ?? ""
        let (status, members) = try await answer(
            to: AmazonSignatureCheck.Request(
                method: request.method,
                path: String(request.path.prefix { $0 != "?" }),
                headers: request.headers,
                body: request.body
            ),
            target.components(separatedBy: ".").last ?? ""
        )
        let body = try JSONSerialization.data(withJSONObject: members)
        return Response(
            status: HTTPResponse.Status(code: status),
            headers: [.contentType: "application/x-amz-json-1.1"],
            body: .init(byteBuffer: ByteBuffer(bytes: body))
        )
    }

    /// Status and members of the answer.
    private func answer(
        to request: AmazonSignatureCheck.Request,
        _ action: String
    ) async throws -> (Int, [String: Any]) {
        let behavior = state.withLock { state in
            state.actions.append(action)
            return state.behavior
        }
        if case .refusing(let status, let type) = behavior { return (status, ["__type": type]) }
        if let type = check.refusal(of: request, at: .now) { return (400, ["__type": type]) }
        let question = try JSONDecoder().decode(Question.self, from: Data(request.body))
        guard question.keyName == keyName else {
            return (400, ["__type": "com.amazonaws.kms#NotFoundException"])
        }
        switch action {
        case "GetPublicKey":
            var (publicKey, algorithm) = (key.publicKey.derRepresentation, "ECDSA_SHA_256")
            if case .keeping(let other, let said) = behavior {
                (publicKey, algorithm) = (other, said)
            }
            return (
                200,
                [
                    "KeyId": keyName, "KeySpec": "ECC_NIST_P256", "KeyUsage": "SIGN_VERIFY",
                    "PublicKey": publicKey.base64EncodedString(),
                    "SigningAlgorithms": [algorithm],
                ]
            )
        case "Sign": return try await signed(question, behavior)
        default: return (400, ["__type": "UnknownOperationException"])
        }
    }

    private func signed(
        _ question: Question,
        _ behavior: Behavior
    ) async throws -> (Int, [String: Any]) {
        guard
            question.messageType == "DIGEST", question.algorithm == "ECDSA_SHA_256",
            let digest = question.message.flatMap({ Data(base64Encoded: $0) }), digest.count == 32
        else { return (400, ["__type": "ValidationException"]) }
        let signature: Data
        switch behavior {
        case .babbling: signature = Data([1, 2, 3])
        case .forging:
            signature = try await openSSLSignature(over: digest, by: P256.Signing.PrivateKey())
        case .well, .refusing, .keeping:
            signature = try await openSSLSignature(over: digest, by: key)
        }
        return (
            200,
            [
                "KeyId": keyName, "SigningAlgorithm": "ECDSA_SHA_256",
                "Signature": signature.base64EncodedString(),
            ]
        )
    }
}

/// The members of all questions that are understood.
private struct Question: Decodable {
    let keyName: String
    let message: String?
    let messageType: String?
    let algorithm: String?

    enum CodingKeys: String, CodingKey {
        case keyName = "KeyId"
        case message = "Message"
        case messageType = "MessageType"
        case algorithm = "SigningAlgorithm"
    }
}

/// `openssl pkeyutl -sign` takes what it is given for the digest itself.
private func openSSLSignature(
    over digest: Data,
    by key: P256.Signing.PrivateKey
) async throws -> Data {
    try await withFolder { folder in
        let files = ["key.pem", "digest", "signature"].map { "\(folder / $0)" }
        try (folder / "key.pem").writeDurably(Array(key.pemRepresentation.utf8))
        try (folder / "digest").writeDurably(Array(digest))
        try await output(
            of: "openssl",
            ["pkeyutl", "-sign", "-inkey", files[0], "-in", files[1], "-out", files[2]]
        )
        return Data(try (folder / "signature").read(sizeMaximum: 1024))
    }
}

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

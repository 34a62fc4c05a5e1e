import Foundation
import PlimsollAPI
package import PlimsollDomain
import PlimsollJSON

/// AWS KMS, as far as signing needs it: a private key never leaves it.
package struct KeyManagementService: Sendable {
    /// Where it is and who asks.
    package struct Settings: Sendable {
        /// Another place than Amazon's own, such as `http://127.0.0.1:4566`.
        package var endpoint: String?
        /// Asked each time, since credentials end.
        package var credentials: @Sendable () -> AmazonCredentials? = {
            AmazonCredentials(environment: ProcessInfo.processInfo.environment)
        }
        package var now: @Sendable () -> Instant = { Instant(Date.now) }

        package init() {}
    }

    private let settings: Settings

    private static let algorithm = "ECDSA_SHA_256"
    private static let mediaType = "application/x-amz-json-1.1"
    private static let limits = Transport.Limits(
        connectTimeout: .seconds(3),
        answerTimeout: .seconds(10),
        bytesMaximum: 1 << 20
    )

    package init(_ settings: Settings = Settings()) {
        self.settings = settings
    }

    /// The public half of a key that can sign: SubjectPublicKeyInfo, DER.
    package func publicKey(
        of name: KeyServiceName
    ) async throws(AmazonFailure) -> [UInt8] {
        try await Self.connected { transport async throws(AmazonFailure) in
            let answer = try await ask(
                "GetPublicKey",
                ["KeyId": .string(name.text)],
                of: name,
                transport
            )
            let algorithms = answer["SigningAlgorithms"]?.array?.compactMap(\.string) ?? []
            guard algorithms.contains(Self.algorithm) else {
                throw AmazonFailure.refused("the key cannot sign with \(Self.algorithm)")
            }
            return try Self.bytes("PublicKey", of: answer)
        }
    }

    /// Signs digests as they are, none of them hashed again; answers signatures in DER.
    package func sign(
        _ digests: [[UInt8]],
        with name: KeyServiceName
    ) async throws(AmazonFailure) -> [[UInt8]] {
        try await Self.connected { transport async throws(AmazonFailure) in
            var signatures: [[UInt8]] = []
            for digest in digests {
                signatures.append(try await sign(digest, with: name, over: transport))
            }
            return signatures
        }
    }

    /// Keeps connections for as long as the body runs, so many at most to one place.
    static func connected<Value: Sendable>(
        atMost connectionsMaximum: Int = 8,
        _ body: (Transport) async throws(AmazonFailure) -> Value
    ) async throws(AmazonFailure) -> Value {
        do {
            return try await Transport.with(limits, connectionsMaximum: connectionsMaximum) {
                try await body($0)
            }
        } catch let failure as AmazonFailure {
            throw failure
        } catch {
            throw .away("it does not answer")
        }
    }

    func sign(
        _ digest: [UInt8],
        with name: KeyServiceName,
        over transport: Transport
    ) async throws(AmazonFailure) -> [UInt8] {
        let answer = try await ask(
            "Sign",
            [
                "KeyId": .string(name.text),
                "Message": .string(Data(digest).base64EncodedString()),
                "MessageType": "DIGEST",
                "SigningAlgorithm": .string(Self.algorithm),
            ],
            of: name,
            transport
        )
        return try Self.bytes("Signature", of: answer)
    }

    private func ask(
        _ action: String,
        _ question: JSONObject,
        of name: KeyServiceName,
        _ transport: Transport
    ) async throws(AmazonFailure) -> JSONObject {
        guard let credentials = settings.credentials() else {
            throw .refused("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set")
        }
        var request = AmazonRequest("POST", settings.endpoint ?? name.endpoint, "/")
        request.headers = [
            AmazonRequest.Field("Content-Type", Self.mediaType),
            AmazonRequest.Field("X-Amz-Target", "TrentService.\(action)"),
        ]
        request.body = question.canonicalBytes()
        let signer = RequestSigner(credentials, region: name.region, service: "kms")
        let headers = signer.headers(for: request, at: settings.now())
        let answer = try await Self.send(
            WebRequest(
                .post,
                request.url,
                headers: headers.map { (name: $0.name, value: $0.value) },
                body: request.body
            ),
            over: transport
        )
        guard answer.status == 200 else { throw AmazonFailure(answer) }
        guard let object = (try? JSONValue(parsing: answer.body))?.object else {
            throw .notUnderstood
        }
        return object
    }

    private static func send(
        _ request: WebRequest,
        over transport: Transport
    ) async throws(AmazonFailure) -> WebAnswer {
        do throws(AdminError) {
            return try await transport.send(request)
        } catch {
            if case .answerTooLarge = error.kind { throw .notUnderstood }
            // What is said of it elsewhere has addresses and times in it.
            throw .away("it does not answer")
        }
    }

    private static func bytes(
        _ member: String,
        of answer: JSONObject
    ) throws(AmazonFailure) -> [UInt8] {
        guard let bytes = answer[member]?.string.flatMap({ Data(base64Encoded: $0) }) else {
            throw .notUnderstood
        }
        return Array(bytes)
    }
}

extension KeyServiceName {
    /// The service of the region that the key is in.
    fileprivate var endpoint: String {
        let suffix = text.hasPrefix("arn:aws-cn:") ? "amazonaws.com.cn" : "amazonaws.com"
        return "https://kms.\(region).\(suffix)"
    }
}

extension AmazonFailure {
    /// What it answers at other times than these is not going to change by itself.
    private static let passing: Set<String> = [
        "ThrottlingException", "KMSInternalException", "DependencyTimeoutException",
        "KeyUnavailableException", "LimitExceededException", "ServiceUnavailable",
        "ServiceUnavailableException", "InternalFailure",
    ]

    /// Takes an answer that is no success.
    fileprivate init(_ answer: WebAnswer) {
        let object = (try? JSONValue(parsing: answer.body))?.object
        // `com.amazonaws.kms#NotFoundException`, or without what stands before.
        let type = object?["__type"]?.string?.split(separator: "#").last.map(String.init) ?? ""
        let name = String(type.prefix(64)).filter { $0.isLetter || $0.isNumber }
        let reason = "it answered \(name.isEmpty ? String(answer.status) : name)"
        let isPassing =
            answer.status >= 500 || answer.status == 429 || Self.passing.contains(name)
        self = isPassing ? .away(reason) : .refused(reason)
    }
}

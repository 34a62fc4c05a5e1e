import Crypto
import Foundation
import PlimsollPublishing
import PlimsollDomain
import PlimsollTestSupport
import Testing

/// Against a stand-in that checks signatures as AWS does, on a real socket.
@Suite(.timeLimit(.minutes(5))) struct KeyManagementServiceTests {
    private static let arn =
        "arn:aws:kms:eu-west-2:123456789012:key/3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07"
    private static let check = AmazonSignatureCheck(
        accessKeyID: "AKIDEXAMPLE",
        secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
        sessionToken: "for an hour"
    )

    private let name: KeyServiceName

    init() throws {
        name = try #require(KeyServiceName(Self.arn))
    }

    private func service(
        at endpoint: String,
        secret: String = KeyManagementServiceTests.check.secretAccessKey,
        token: String? = KeyManagementServiceTests.check.sessionToken,
        late: Duration = .zero
    ) -> KeyManagementService {
        var settings = KeyManagementService.Settings()
        settings.endpoint = endpoint
        settings.credentials = {
            AmazonCredentials(
                accessKeyID: Self.check.accessKeyID,
                secretAccessKey: secret,
                sessionToken: token
            )
        }
        settings.now = { Instant(Date.now).advanced(by: late) }
        return KeyManagementService(settings)
    }

    @Test func `digests are signed as they are, and the public half confirms it`() async throws {
        let name = name
        try await StandInKeyService.with(keyName: Self.arn, Self.check) { standIn, endpoint in
            let service = service(at: endpoint)
            let publicKey = try P256.Signing.PublicKey(
                derRepresentation: try await service.publicKey(of: name)
            )
            let digests = ["one", "two"].map { SHA256.hash(data: Array($0.utf8)) }
            let signatures = try await service.sign(digests.map { Array($0) }, with: name)
            #expect(signatures.count == 2)
            for (signature, digest) in zip(signatures, digests) {
                let pair = try P256.Signing.ECDSASignature(derRepresentation: signature)
                #expect(publicKey.isValidSignature(pair, for: digest))
            }
            #expect(standIn.actions == ["GetPublicKey", "Sign", "Sign"])
        }
    }

    @Test func `a wrong secret, a missing token and a wrong clock are refused`() async throws {
        let name = name
        try await StandInKeyService.with(keyName: Self.arn, Self.check) { _, endpoint in
            for (asked, answer) in [
                (service(at: endpoint, secret: "another"), "InvalidSignatureException"),
                (service(at: endpoint, token: nil), "UnrecognizedClientException"),
                (service(at: endpoint, late: .seconds(400)), "InvalidSignatureException"),
            ] {
                await #expect(throws: AmazonFailure.refused("it answered \(answer)")) {
                    try await asked.publicKey(of: name)
                }
            }
        }
    }

    @Test func `a key that is not there is refused by its name`() async throws {
        let other = try #require(KeyServiceName(Self.arn.replacing("6c07", with: "6c08")))
        try await StandInKeyService.with(keyName: Self.arn, Self.check) { _, endpoint in
            let service = service(at: endpoint)
            await #expect(throws: AmazonFailure.refused("it answered NotFoundException")) {
                try await service.sign([[UInt8](repeating: 1, count: 32)], with: other)
            }
        }
    }

    @Test(arguments: [
        (400, "ThrottlingException", true), (500, "KMSInternalException", true),
        (503, "", true), (400, "com.amazonaws.kms#DisabledException", false),
        (400, "AccessDeniedException", false), (403, "", false),
    ])
    func `what passes by itself is told from what does not`(
        status: Int,
        type: String,
        passes: Bool
    ) async throws {
        let name = name
        try await StandInKeyService.with(keyName: Self.arn, Self.check) { standIn, endpoint in
            standIn.change(to: .refusing(status: status, type: type))
            let service = service(at: endpoint)
            let error = await #expect(throws: AmazonFailure.self) {
                try await service.publicKey(of: name)
            }
            let failure = try #require(error)
            if case .away = failure { #expect(passes) } else { #expect(!passes) }
            #expect(!failure.description.contains("#"))
        }
    }

    @Test func `nobody at the address is somebody who is away`() async throws {
        let name = name
        let service = service(at: "http://127.0.0.1:1")
        await #expect(throws: AmazonFailure.away("it does not answer")) {
            try await service.publicKey(of: name)
        }
    }

    @Test func `without credentials nobody is asked`() async throws {
        let name = name
        try await StandInKeyService.with(keyName: Self.arn, Self.check) { standIn, endpoint in
            var settings = KeyManagementService.Settings()
            settings.endpoint = endpoint
            settings.credentials = { nil }
            let service = KeyManagementService(settings)
            await #expect(throws: AmazonFailure.self) { try await service.publicKey(of: name) }
            #expect(standIn.actions == [])
        }
    }

    @Test(arguments: [
        "", "3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07", "alias/plimsoll",
        "arn:aws:kms:eu-west-2:123456789012:alias/plimsoll",
        "arn:aws:kms:eu-west-2:123456789012:key/mrk-3f0c5e9a7d1b4c629a35e8d2b41f6c07",
        "arn:aws:kms:eu-west-2:123456789012:key/3F0C5E9A-7D1B-4C62-9A35-E8D2B41F6C07",
        "arn:aws:kms:eu-west-2:1234:key/3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07",
        "arn:aws:kms:evil.example/:123456789012:key/3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07",
        "arn:aws:kms::123456789012:key/3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07",
        "arn:aws:s3:eu-west-2:123456789012:key/3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07",
        "arn:aws:kms:eu-west-2:123456789012:key/3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07:x",
    ])
    func `what is no ARN of a key with a UUID is refused`(text: String) {
        #expect(KeyServiceName(text) == nil)
    }

    @Test func `the id that phones compare is the ARN cut off`() {
        #expect(name.keyID.text == "3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07")
        #expect(name.region == "eu-west-2")
        let government = "arn:aws-us-gov:kms:us-gov-west-1:123456789012:key/\(name.keyID)"
        #expect(KeyServiceName(government)?.region == "us-gov-west-1")
    }
}

import Foundation
import PlimsollPublishing
import PlimsollDomain
import PlimsollSystem
import PlimsollTestSupport
import Testing

/// A key service for one key, and what this instance calls it.
enum StandIn {
    static let arn =
        "arn:aws:kms:eu-west-2:123456789012:key/3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07"
    private static let check = AmazonSignatureCheck(
        accessKeyID: "AKIDEXAMPLE",
        secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
    )

    /// Runs the body with keys in a folder that ask the stand-in.
    static func with(
        _ folder: Path,
        _ body: (StandInKeyService, SigningKeys, KeyServiceName) async throws -> Void
    ) async throws {
        let name = try #require(KeyServiceName(arn))
        try await StandInKeyService.with(keyName: arn, check) { service, endpoint in
            var settings = KeyManagementService.Settings()
            settings.endpoint = endpoint
            settings.credentials = {
                AmazonCredentials(
                    accessKeyID: check.accessKeyID,
                    secretAccessKey: check.secretAccessKey
                )
            }
            var keys = SigningKeys(folder: folder)
            keys.service = KeyManagementService(settings)
            try await body(service, keys, name)
        }
    }
}

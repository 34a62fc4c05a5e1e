import Crypto
import Foundation
import PlimsollAPI
import PlimsollJSON
import PlimsollTestSupport
import Testing

extension ServiceTests {
    /// A key for tokens that stays in its key service, as the program asks for it.
    @Suite struct KeptTokenRoadTests {
        private static let package = "878123456789"
        private static let arn =
            "arn:aws:kms:eu-west-2:123456789012:key/3f0c5e9a-7d1b-4c62-9a35-e8d2b41f6c07"
        private static let check = AmazonSignatureCheck(
            accessKeyID: "AKIDEXAMPLE",
            secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
        )

        // Goal: devices get tokens that the key service has signed, and 503 while it is away, and
        // phones notice nothing. Method: a stand-in signs, and then refuses.
        @Test func `a key service signs what devices install, and may be away`() async throws {
            try await StandInKeyService.with(keyName: Self.arn, Self.check) { service, endpoint in
                try await ServerFixture.with { fixture in
                    let environment = StoreProcess.environment.merging([
                        "PLIMSOLL_KEY_SERVICE": endpoint,
                        "PLIMSOLL_MARKETPLACE_TOKEN_KEYS":
                            "2b5fd8a1-3c5e-4c59-9d53-6a1b7c9e0d42=\(Self.arn)",
                    ]) { $1 }
                    try await fixture.run(environment: environment) { server in
                        let device = DeviceProbe(address: try server.edge())
                        try await server.openMarketplace(with: [Self.package])
                        try await server.offer([Self.package])
                        let reply = try await eventually("an offer") {
                            let reply = try await device.ask("/restore", Self.package)
                            return reply.versions == [Self.package] ? reply : nil
                        }
                        let token = try #require(reply.tokens.first)
                        let claims = try DeviceProbe.claims(token, by: service.key.publicKey)
                        #expect(claims["vid"]?.string == Self.package)
                        service.change(to: .refusing(status: 503, type: ""))
                        #expect(try await device.ask("/restore", Self.package).status == 503)
                        #expect(try await server.phone().status == 200)
                    }
                }
            }
        }
    }
}

import Crypto
import Foundation
import PlimsollAPI
import PlimsollJSON
import Testing

extension RunningServer {
    /// Makes an app the marketplace that ``DeviceProbe`` asks, lists the sample's app in it, and makes
    /// packages known.
    func openMarketplace(with packages: [String]) async throws {
        let admin = try fixture.adminToken()
        let root = "https://\(DeviceProbe.host)"
        try await command(
            ["apps", "register", "tidewater", "--name", "Tidewater", "--platform", "ios"]
                + ["--language", "en", "--fallback", "en"],
            as: admin
        )
        try await command(
            [
                "marketplace", "set", "tidewater", "--item", "6497405838",
                "--domain", DeviceProbe.host, "--restore", "\(root)/restore",
                "--updates", "\(root)/updates", "--dynamic-license", "\(root)/licenses",
                "--license-renewal", "\(root)/renewals",
                "--signing-certificate", "\(root)/signing.cer",
                "--encryption-certificate", "\(root)/encryption.cer",
            ],
            as: admin
        )
        try await command(
            ["marketplace", "listing", "set", "tidewater", "--app", "harbour"]
                + ["--item", "10737747186", "--bundle", "org.example.harbour"],
            as: admin
        )
        for version in packages {
            try await command(
                [
                    "marketplace", "package", "ingest", "--app", "harbour",
                    "--version-id", version, "--short-version", "3.2.0",
                    "--bundle-version", "412", "--os", "17.4",
                    "--digest", String(repeating: "0f", count: 32),
                    "--address", "\(root)/packages/\(version)/",
                ],
                as: admin
            )
        }
    }

    /// One proposes to offer each of the packages, another approves.
    func offer(_ packages: [String]) async throws {
        let proposer = try await admit("alice", "proposer")
        let approver = try await admit("bob", "approver")
        for version in packages {
            let change = try await command(
                ["marketplace", "package", "offer", version, "--title", "Offer", "--json"]
                    + ["--app", "harbour"],
                as: proposer
            )
            let id = try JSONValue(parsing: Array(change.utf8))["id"]?.string
            try await command(["change", "approve", try #require(id), "--yes"], as: approver)
        }
    }

    /// What a command that succeeds writes.
    @discardableResult
    func command(_ arguments: [String], as token: String) async throws -> String {
        let outcome = try await plimsoll(arguments, as: token)
        try #require(outcome.status == 0, "\(arguments): \(outcome.errors)")
        return outcome.output
    }

    /// What a notification is answered.
    func hearsFromApple(
        _ notification: String,
        signedWith secret: String
    ) async throws -> WebAnswer {
        let body = Array(notification.utf8)
        let key = SymmetricKey(data: Array(secret.utf8))
        let hex = HMAC<SHA256>.authenticationCode(for: body, using: key).map {
            String(UInt16($0) + 0x100, radix: 16).dropFirst()
        }
        return try await fixture.transport.send(
            WebRequest(
                .post,
                "http://\(try rest())/marketplace/notifications",
                headers: [(name: "x-apple-signature", value: "hmacsha256=\(hex.joined())")],
                body: body
            )
        )
    }
}

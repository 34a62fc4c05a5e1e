import Crypto
import Foundation
import Logging
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollJSON
import PlimsollMarketplace
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollDevices

/// Somebody who decides of everybody the same.
struct FixedAuthorizer: DeviceAuthorizer {
    let decision: DeviceAuthorization

    func decide(
        bearer: String?,
        asking marketplace: Marketplace,
        at now: Instant
    ) -> DeviceAuthorization { decision }
}

/// Somebody who lets everybody in where everybody may ask, and never comes to an end elsewhere.
struct SlowAuthorizer: DeviceAuthorizer {
    func decide(
        bearer: String?,
        asking marketplace: Marketplace,
        at now: Instant
    ) -> DeviceAuthorization {
        guard marketplace.audience == .bearers else { return .granted(account: nil) }
        return .later {
            // Until it is cancelled.
            try? await Task.sleep(for: .seconds(600))
            return .unavailable
        }
    }
}

/// Somebody who knows one bearer, after a moment, and is never done with another.
struct BearerAuthorizer: DeviceAuthorizer {
    func decide(
        bearer: String?,
        asking marketplace: Marketplace,
        at now: Instant
    ) -> DeviceAuthorization {
        .later {
            if bearer == "known" { return .granted(account: nil) }
            // Until it is cancelled.
            try? await Task.sleep(for: .seconds(600))
            return .unavailable
        }
    }
}

/// A responder at work, and the public half of its key.
struct RunningResponder: Sendable {
    let responder: MarketplaceResponder
    let key: P256.Signing.PublicKey

    /// Works while the body runs, and then stops as a service does.
    static func with<Result: Sendable>(
        _ decision: DeviceAuthorization = .granted(account: nil),
        judging authorizer: (any DeviceAuthorizer)? = nil,
        now: Instant = testNow,
        signs: Bool = true,
        with keys: TokenKeyring? = nil,
        licenses: LicenseProxy? = nil,
        logger: Logger = quiet,
        _ body: @Sendable (RunningResponder) async throws -> Result
    ) async throws -> Result {
        let key = P256.Signing.PrivateKey()
        let ring =
            try keys ?? keyring(["\(keyID)=env:K"], ["K": key.pemRepresentation], now: testNow)
        let responder = MarketplaceResponder(
            MarketplaceResponder.Settings(
                authorizer: authorizer ?? FixedAuthorizer(decision: decision),
                signer: signs ? TokenSigner(ring) : nil,
                licenses: licenses,
                now: { now }
            ),
            logger: logger
        )
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask(name: "responder") { try await responder.run() }
            defer { tasks.cancelAll() }
            return try await body(RunningResponder(responder: responder, key: key.publicKey))
        }
    }

    /// The answer, at once or later.
    func answer(_ post: DevicePost) async -> DeviceReply {
        await withCheckedContinuation { continuation in
            let reply = responder.answer(post) { continuation.resume(returning: $0) }
            if let reply { continuation.resume(returning: reply) }
        }
    }

    func answer(
        _ address: DeviceAddress = .restore,
        _ body: String,
        of storefront: Storefront = sampleStorefront()
    ) async -> DeviceReply {
        await answer(DevicePost(address, of: storefront, body: Array(body.utf8)))
    }
}

extension DeviceReply {
    var json: JSONObject {
        get throws {
            let limits = JSONLimits(sizeMaximum: 4 << 20)
            return try #require(try JSONValue(parsing: body, limits: limits).object)
        }
    }

    func list(_ name: String) throws -> [JSONObject] {
        try #require(try json[name]?.array).compactMap(\.object)
    }
}

/// A body as a device sends it.
func asking(
    _ apps: [(item: String, version: String)] = [("10737747186", "878123456789")],
    platform: String = "iOS",
    system: String = "18.0"
) -> String {
    let list = apps.map { #"{"appleItemId":"\#($0.item)","appleVersionId":"\#($0.version)"}"# }
    return #"{"apps":[\#(list.joined(separator: ","))],"platform":"\#(platform)","#
        + #""osVersion":"\#(system)"}"#
}

/// A marketplace that lists so many apps, each with one package.
func largeStorefront(_ count: UInt64) -> Storefront {
    let marketplace = sampleMarketplace()
    let apps = (1...count).map { number in
        Storefront.App(
            sampleListing(number),
            offering: [samplePackage(number)],
            withdrawn: [],
            in: marketplace
        )
    }
    return Storefront(marketplace, apps)
}

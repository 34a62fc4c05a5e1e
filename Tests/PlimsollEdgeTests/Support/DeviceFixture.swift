import Dispatch
import PlimsollDocuments
import PlimsollDomain
import PlimsollMarketplace
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollEdge

/// A marketplace's files and addresses, beside the document of other tests.
enum DeviceFixture {
    static let host = "market.example.com"

    static func marketplace(
        _ name: String = "tidewater",
        _ marketplace: Marketplace = sampleMarketplace()
    ) -> ServedMarketplace {
        let stamp = sampleStamp(slug(name))
        let document = MarketplaceDocument(marketplace: marketplace, stamp: stamp)
        return ServedMarketplace(app: slug(name), storefront: Storefront(document, []))
    }

    static func table(_ marketplaces: [ServedMarketplace] = [marketplace()]) throws -> EdgeTable {
        let files = try marketplaces.flatMap { marketplace in
            try ServedMarketplace.wellKnown.map { file in
                let body = Array("\(marketplace.app) \(file.name)".utf8)
                var place = try place(body, at: "/distribution/\(marketplace.app)/\(file.name)")
                place.wellKnown = (marketplace.app, file.path)
                return place
            }
        }
        let own = try place(EdgeFixture.body, at: EdgeFixture.path)
        return EdgeTable(placing: [own] + files, publications: [], marketplaces: marketplaces)
    }

    private static func place(_ body: [UInt8], at path: String) throws -> EdgePlace {
        let resource = try EdgeFixture.resource(body, paths: [])
        return EdgePlace(PreparedResource(resource), at: [path])
    }

    static func post(
        _ path: String = "/restore",
        body: String = "hello",
        fields: [String] = [],
        host: String = host
    ) -> String {
        let head = ["POST \(path) HTTP/1.1", "Host: \(host)"] + fields
        return (head + ["Content-Length: \(body.utf8.count)"]).joined(separator: "\r\n")
            + "\r\n\r\n" + body
    }
}

/// Answers with what it was asked: restores at once, everything else from another thread.
struct EchoResponder: DeviceResponder {
    func answer(
        _ post: DevicePost,
        deliver: @escaping @Sendable (DeviceReply) -> Void
    ) -> DeviceReply? {
        let text = "\(post.address) \(post.authorization ?? "-") "
        // A client that does not ask for more room has little of it.
        let echo = post.body.count > 5000 ? Array("\(post.body.count)".utf8) : post.body
        let reply = DeviceReply(.ok, body: Array(text.utf8) + echo)
        if post.address == .restore { return reply }
        DispatchQueue.global().async { deliver(reply) }
        return nil
    }
}

/// Runs each test on a listener that only publishes, and on one that answers devices and serves
/// packages.
struct BothListeners: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal static var devices: (any DeviceResponder)?
    @TaskLocal static var packages: PackageSettings?

    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        testCase == nil ? nil : self
    }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await function()
        try await PackageFixture.with { fixture in
            let settings = try fixture.settings
            try await Self.$devices.withValue(EchoResponder()) {
                try await Self.$packages.withValue(settings) { try await function() }
            }
        }
    }
}

extension Trait where Self == BothListeners {
    static var onBothListeners: Self { BothListeners() }
}

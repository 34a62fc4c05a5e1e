import Crypto
import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollPublishing
import PlimsollTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct PurgeSinkTests {
    private let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private func sink(
        _ port: Int,
        bases: [String] = [],
        within patience: Duration = .seconds(60)
    ) throws -> PurgeSink {
        let settings = PurgeSink.Settings(
            hook: try #require(ServiceAddress("http://127.0.0.1:\(port)/hidden/path")),
            secret: try #require(PurgeSecret(secret)),
            bases: try bases.map { try #require(ServiceAddress($0)) }
        )
        let limits = Transport.Limits(connectTimeout: .seconds(5), answerTimeout: patience)
        let time = Instant(millisecondsSince1970: 1_795_307_405_999)
        return PurgeSink(settings, limits: limits, now: { time })
    }

    @Test func `a hook is told the addresses of every cache, signed`() async throws {
        let builder = try SnapshotBuilder()
        let (own, former) = (builder.keys[0], KeyID(UUID()))
        let publication = Publication(
            try builder.snapshot(7),
            formerKeys: [former],
            revokedKeys: [former]
        )
        try await ScriptedServer.with { _ in
            .bytes(Publisher.unsigned("204 No Content"))
        } _: { server, port in
            let bases = ["https://config.example.com", "https://cdn.example.com/live"]
            try await sink(port, bases: bases).take(publication)
            let request = try #require(server.requests.first)
            let id = try #require(request["webhook-id"])
            #expect(request.text.hasPrefix("POST /hidden/path HTTP/1.1\r\n"))
            #expect(id == "purge_harbour_7_1795307405999")
            #expect(request["webhook-timestamp"] == "1795307405")
            #expect(request["content-type"] == "application/json")
            let names = ["availability-android", "availability-ios"]
            // What the app has not it may have had.
            let gone = [
                "availability-macos", "prince-of-versions.json", "packages.json", "altstore.json",
                "marketplace-kit", "oauth-authorization-server", "marketplace.json",
            ]
            let urls = bases.flatMap { base in
                let documents =
                    (names + gone).flatMap { name in ["harbour/", ""].map { $0 + name } }
                    + names.flatMap { name in
                        [own, former].map { "harbour/keys/\($0)/\(name)" }
                    }
                let others = [
                    "harbour/manifest.json", "harbour/manifest.json.sig", "harbour/proof.json",
                    "keys.json", "keys/\(former).pem",
                ]
                let wellKnown = ["marketplace-kit", "oauth-authorization-server"]
                return (documents + others).map { "\(base)/distribution/\($0)" }
                    + wellKnown.map { "\(base)/.well-known/\($0)" }
            }
            let list = urls.map { "\"\($0)\"" }.joined(separator: ",")
            let body =
                "{\"app\":\"harbour\",\"sequence\":7,\"type\":\"purge\",\"urls\":[\(list)]}"
            #expect(request.text.hasSuffix("\r\n\r\n\(body)"))
            let key = try #require(Data(base64Encoded: String(secret.dropFirst(6))))
            let signed = Data("\(id).1795307405.\(body)".utf8)
            let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: key))
            #expect(request["webhook-signature"] == "v1,\(Data(code).base64EncodedString())")
        }
    }

    @Test(arguments: ["301 Moved Permanently", "404 Not Found", "503 Service Unavailable"])
    func `an answer that is no success is told by its number`(status: String) async throws {
        let publication = try SnapshotBuilder().publication(7)
        try await ScriptedServer.with { _ in
            .bytes(Publisher.unsigned(status, fields: ["Location": "http://127.0.0.1:1/"]))
        } _: { server, port in
            let sink = try sink(port)
            let refusal = await #expect(throws: SinkRefusal.self) {
                try await sink.take(publication)
            }
            #expect(refusal?.reason == "it answered \(status.prefix(3))")
            #expect(server.requests.count == 1)
        }
    }

    @Test(arguments: [
        (
            ScriptedServer.Reply.hangUp, Duration.seconds(60),
            "it did not answer: the connection was closed before the answer"
        ),
        (.part([]), .milliseconds(300), "it did not answer: nothing came within 0.3 seconds"),
    ])
    func `a hook that says nothing is given up`(
        reply: ScriptedServer.Reply,
        patience: Duration,
        reason: String
    ) async throws {
        let publication = try SnapshotBuilder().publication(7)
        try await ScriptedServer.with { _ in
            reply
        } _: { _, port in
            let sink = try sink(port, within: patience)
            let refusal = await #expect(throws: SinkRefusal.self) {
                try await sink.take(publication)
            }
            #expect(refusal?.reason == reason)
        }
    }

    @Test func `the path of a hook is in no name`() throws {
        #expect(try sink(8080).name == "purge 127.0.0.1")
    }
}

import PlimsollAPI
import PlimsollDomain
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollService

/// Sending over real sockets, to receivers that behave well and badly.
@Suite(.timeLimit(.minutes(5)))
struct WebhookTransportTests {
    private let message = WebhookMessage(id: "m", body: Array(#"{"a":"ü"}"#.utf8))

    private func send(
        _ text: String,
        admission: Admission = .local,
        trusting authorities: CertificateAuthorities? = nil,
        within patience: Duration = .seconds(60),
        to addresses: @escaping @Sendable (String) -> [String]? = { _ in ["127.0.0.1"] }
    ) async throws -> SendingOutcome {
        var limits = SendingLimits()
        limits.answer = patience
        let sender = WebhookTransport(admission, limits: limits, trusting: authorities) { host, _ in
            addresses(host)
        }
        return try await sender.send(
            message,
            headers: message.headers(at: testNow, []),
            to: try #require(WebhookURL(text)),
            attempt: 0
        )
    }

    @Test func `a message arrives as it stands`() async throws {
        try await ScriptedServer.with({ _ in .bytes(.answer(204)) }) { receiver, port in
            let outcome = try await send("http://127.0.0.1:\(port)/hook?team=1")
            #expect(outcome == SendingOutcome(status: 204, failure: nil))
            let request = try #require(receiver.requests.first)
            #expect(receiver.requests.count == 1)
            #expect(request.text.hasPrefix("POST /hook?team=1 HTTP/1.1\r\n"))
            #expect(request.body == #"{"a":"ü"}"#)
            #expect(request["webhook-id"] == "m")
            #expect(request["host"] == "127.0.0.1:\(port)")
        }
    }

    // Goal: who is connected to is who was looked at. Method: a name that no resolver knows, so that
    // a client which looked for itself would find nobody.
    @Test func `the connection goes to the address that was looked at`() async throws {
        try await ScriptedServer.with({ _ in .bytes(.answer(200)) }) { receiver, port in
            let outcome = try await send("http://receiver.invalid:\(port)/")
            #expect(outcome.failure == nil)
            #expect(receiver.requests.first?["host"] == "receiver.invalid:\(port)")
        }
    }

    // Goal: a name that leads elsewhere a moment later leads nobody astray. Method: what it leads to
    // changes with every question, and one of the places is not allowed.
    @Test func `a name is asked for each message anew, and once`() async throws {
        let asked = Mutex(0)
        try await ScriptedServer.with({ _ in .bytes(.answer(200)) }) { receiver, port in
            let answers: @Sendable (String) -> [String] = { _ in
                asked.withLock { asked in
                    asked += 1
                    return asked == 1 ? ["127.0.0.1"] : ["169.254.169.254"]
                }
            }
            let text = "http://rebinding.invalid:\(port)/"
            #expect(try await send(text, to: answers).failure == nil)
            #expect(asked.withLock { $0 } == 1)
            let second = try await send(text, to: answers)
            #expect(second.failure == "rebinding.invalid is at a link-local address")
            #expect(receiver.requests.count == 1)
        }
    }

    @Test(arguments: [
        ["10.0.0.1"], ["127.0.0.1", "10.0.0.1"], ["::ffff:127.0.0.1"], ["fe80::1%eth0"], ["::1"],
    ])
    func `a name that leads anywhere forbidden is not sent to`(_ addresses: [String]) async throws {
        try await ScriptedServer.with({ _ in .bytes(.answer(200)) }) { receiver, port in
            let outcome = try await send("http://hooks.invalid:\(port)/") { _ in addresses }
            let failure = try #require(outcome.failure)
            #expect(failure.hasPrefix("hooks.invalid is at "))
            #expect(receiver.requests.isEmpty)
            // Where a name leads is for the operator's log, and not for whoever has a webhook.
            #expect(!addresses.contains { failure.contains($0) })
            #expect(addresses.contains { outcome.innerCause?.contains("is at \($0), ") ?? false })
        }
    }

    // Method: everything in 127/8 is this machine, and the receiver listens at one address of it.
    @Test func `where one address of a host is dead the next one is tried at once`() async throws {
        let admission = Admission(
            allowsUnencrypted: true,
            networks: [try #require(IPNetwork("127.0.0.0/8"))]
        )
        try await ScriptedServer.with({ _ in .bytes(.answer(200)) }) { receiver, port in
            let outcome = try await send(
                "http://hooks.invalid:\(port)/",
                admission: admission
            ) { _ in ["127.0.0.2", "127.0.0.1"] }
            #expect(outcome == SendingOutcome(status: 200, failure: nil))
            #expect(receiver.requests.count == 1)
        }
    }

    // Goal: what may have arrived is not sent twice in one attempt.
    @Test func `who was spoken to is not gone round`() async throws {
        try await ScriptedServer.with({ _ in .hangUp }) { receiver, port in
            let outcome = try await send("http://hooks.invalid:\(port)/") { _ in
                ["127.0.0.1", "127.0.0.1"]
            }
            #expect(outcome.failure != nil)
            #expect(receiver.requests.count == 1)
        }
    }

    @Test func `a name that is unknown, or takes too long, says so`() async throws {
        let unknown = try await send("http://hooks.invalid/") { _ in [] }
        #expect(unknown.failure == "the name hooks.invalid is unknown")
        let slow = try await send("http://hooks.invalid/") { _ in nil }
        #expect(slow.failure == "nobody said in time where hooks.invalid is")
        var limits = SendingLimits()
        // The machine's own resolver is asked.
        limits.resolution = .seconds(120)
        let real = WebhookTransport(.local, limits: limits)
        let outcome = try await real.send(
            message,
            headers: [],
            to: try #require(WebhookURL("http://hooks.invalid/")),
            attempt: 0
        )
        #expect(outcome.failure == "the name hooks.invalid is unknown")
    }

    @Test func `what is forbidden is not even connected to`() async throws {
        try await ScriptedServer.with({ _ in .bytes(.answer(200)) }) { receiver, port in
            let text = "http://127.0.0.1:\(port)/"
            let unencrypted = try await send(text, admission: Admission())
            #expect(unencrypted.failure?.contains("https") == true)
            let loopback = try await send(text, admission: Admission(allowsUnencrypted: true))
            #expect(loopback.failure == "127.0.0.1 is an address of this machine")
            #expect(receiver.requests.isEmpty)
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect is an answer, and nobody goes there`(_ status: Int) async throws {
        try await ScriptedServer.with({ _ in .bytes(.answer(200)) }) { inside, insidePort in
            let location = "Location: http://127.0.0.1:\(insidePort)/secret\r\n"
            try await ScriptedServer.with({ _ in .bytes(.answer(status, location)) }) { _, port in
                let outcome = try await send("http://127.0.0.1:\(port)/")
                #expect(outcome.status == status)
                #expect(outcome.failure?.contains("redirects are not followed") == true)
            }
            #expect(inside.requests.isEmpty)
        }
    }

    @Test func `a receiver that is down says so`() async throws {
        try await withHeldPorts(1) { ports in
            let outcome = try await send("http://127.0.0.1:\(ports[0])/")
            #expect(outcome == SendingOutcome(status: nil, failure: "the connection was refused"))
        }
    }

    @Test(arguments: [
        ScriptedServer.Reply.part([]), .part(Array("HTTP/1.1 200 OK\r\nX-Slow: ".utf8)),
        .drip(Array("HTTP/1.1 200 OK\r\n".utf8), then: Array("X: a\r\n".utf8)),
        .drip(Array("HTTP/1.1 200 OK\r\nX: ".utf8), then: [0x61]),
    ])
    func `a head that is slow, or drips, is waited for within the limit`(
        _ reply: ScriptedServer.Reply
    ) async throws {
        try await ScriptedServer.with({ _ in reply }) { _, port in
            let start = ContinuousClock.now
            let outcome = try await send(
                "http://127.0.0.1:\(port)/",
                within: .milliseconds(300)
            )
            #expect(outcome.status == nil)
            #expect(outcome.failure != nil)
            // A busy machine takes its time on top.
            #expect(ContinuousClock.now - start < .seconds(30))
        }
    }

    // Method: a body without an end; whoever read it would not come back.
    @Test func `nothing of an answer's body is waited for`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n"
        try await ScriptedServer.with({ _ in .part(Array(head.utf8)) }) { _, port in
            let outcome = try await send("http://127.0.0.1:\(port)/")
            #expect(outcome.failure == nil)
        }
    }

    @Test func `a receiver that hangs up did not take it`() async throws {
        try await ScriptedServer.with({ _ in .hangUp }) { _, port in
            let outcome = try await send("http://127.0.0.1:\(port)/")
            #expect(outcome.status == nil)
            #expect(outcome.failure != nil)
        }
    }

    @Test func `what a receiver asks for is heard`() async throws {
        let reply: [UInt8] = .answer(503, "Retry-After: 120\r\n")
        try await ScriptedServer.with({ _ in .bytes(reply) }) { _, port in
            let outcome = try await send("http://127.0.0.1:\(port)/")
            #expect(outcome.failure == "it answered 503")
            #expect(outcome.retryAfter == .seconds(120))
            #expect(!outcome.isGone)
        }
        try await ScriptedServer.with({ _ in .bytes(.answer(410)) }) { _, port in
            let outcome = try await send("http://127.0.0.1:\(port)/")
            #expect(outcome.isGone)
        }
    }

    @Test func `a message is delivered over TLS to whom a given authority vouches for`()
        async throws
    {
        try await Authority.with { authority in
            let tls = try await authority.server(for: "receiver.invalid")
            let script = ScriptedServer.Reply.bytes(.answer(204))
            let trusted = try authority.trusted
            try await ScriptedServer.with(over: tls, { _ in script }) { receiver, port in
                let url = "https://receiver.invalid:\(port)/hook"
                let outcome = try await send(
                    url,
                    admission: .encrypted,
                    trusting: trusted,
                    within: .seconds(15)
                )
                #expect(outcome == SendingOutcome(status: 204, failure: nil))
                #expect(receiver.requests.map(\.body) == [#"{"a":"ü"}"#])
                #expect(receiver.requests.first?["host"] == "receiver.invalid:\(port)")
            }
        }
    }

    // Goal: nobody is told anything who only says who they are. Method: a receiver with a certificate
    // of an authority that nobody named, of another one than was named, and for another host.
    @Test func `who cannot prove who they are is told nothing`() async throws {
        try await Authority.with { authority in
            try await Authority.with { other in
                let tls = try await authority.server(for: "receiver.invalid")
                let elsewhere = try await authority.server(for: "elsewhere.invalid")
                for (server, trusted) in [
                    (tls, nil), (tls, try other.trusted), (elsewhere, try authority.trusted),
                ] {
                    let script = ScriptedServer.Reply.bytes(.answer(204))
                    try await ScriptedServer.with(over: server, { _ in script }) { receiver, port in
                        let url = "https://receiver.invalid:\(port)/"
                        let outcome = try await send(
                            url,
                            admission: .encrypted,
                            trusting: trusted,
                            within: .seconds(15)
                        )
                        #expect(outcome.status == nil)
                        #expect(outcome.failure != nil)
                        #expect(receiver.requests.isEmpty)
                    }
                }
            }
        }
    }

    @Test func `who speaks no TLS is not spoken to in the clear`() async throws {
        try await ScriptedServer.with({ _ in .bytes(.answer(200)) }) { receiver, port in
            let outcome = try await send(
                "https://127.0.0.1:\(port)/",
                within: .milliseconds(300)
            )
            #expect(outcome.status == nil)
            #expect(outcome.failure != nil)
            #expect(!receiver.requests.contains { $0.text.contains("webhook-id") })
        }
    }
}

extension Admission {
    /// The same, and over TLS alone.
    static var encrypted: Admission {
        Admission(allowsUnencrypted: false, networks: local.networks)
    }

    /// What tests send to, and nothing else that is reserved.
    static var local: Admission {
        guard let network = IPNetwork("127.0.0.1/32") else {
            preconditionFailure("the address of this machine is one")
        }
        return Admission(allowsUnencrypted: true, networks: [network])
    }
}

extension [UInt8] {
    /// An answer without a body.
    static func answer(_ status: Int, _ headers: String = "") -> [UInt8] {
        Array(
            "HTTP/1.1 \(status) X\r\nContent-Length: 0\r\nConnection: close\r\n\(headers)\r\n".utf8
        )
    }
}

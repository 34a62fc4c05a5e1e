import Crypto
import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollStore
import PlimsollTestSupport
@testable import PlimsollService
import Testing

/// What happens arrives, in order and nothing left out, whatever the receiver does.
@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct WebhookDispatcherTests {
    @Test func `what happens is sent in the order of the log, as the record shows it`() async throws
    {
        try await HookHouse.with { house in
            try await Receiver.with { receiver, port in
                let id = try await house.register(port)
                let first = try await house.happen()
                let last = try await house.happen()
                try await house.withDispatcher { try await house.settle(id, at: last) }
                #expect(receiver.positions == [first, last])
                var query = EventQuery()
                query.since = .position(first)
                let page = try await house.useCases.events(query, for: HookHouse.administrator)
                let shown = page.elements.reversed().map { event in
                    EventAnswer(
                        event.recorded,
                        app: event.app,
                        change: event.change,
                        fields: event.fields
                    )
                }
                #expect(receiver.taken.map { Array($0.body.utf8) } == shown.map(\.bytes))
                #expect(receiver.taken.map { $0["webhook-id"] } == shown.map(\.id.text))
                let deliveries = try await house.deliveries(to: id)
                #expect(deliveries.map(\.position) == [first, last])
                #expect(deliveries.allSatisfy { $0.failure == nil && $0.status == 204 })
            }
        }
    }

    // Method: the receiver's own arithmetic, with nothing but the secret that was shown.
    @Test func `a receiver can check every message, and a day of overlap`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with { receiver, port in
                let made = try await house.registered(port)
                let id = made.webhook.id
                let old = try #require(made.secret)
                try await house.happen()
                try await house.withDispatcher {
                    try await eventually("the first") { receiver.taken.count == 1 }
                    let rotated = try await house.useCases.rotateWebhookSecret(
                        of: id,
                        house.request()
                    )
                    let new = try #require(rotated.secret)
                    try await eventually("the rotation") { receiver.taken.count == 2 }
                    house.clock.advance(by: RotateWebhookSecret.overlap)
                    try await house.happen()
                    try await eventually("the last") { receiver.taken.count == 3 }
                    let signers = receiver.taken.map { request in
                        [old, new].filter { request.isSigned(with: $0) }
                    }
                    #expect(signers == [[old], [old, new], [new]])
                    let view = try await house.useCases.webhook(id, for: HookHouse.administrator)
                    #expect(rotated.webhook.previousSecretUntil != nil)
                    #expect(view.previousSecretUntil == nil)
                }
            }
        }
    }

    @Test func `only events of the app and the types that were asked for are sent`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with { receiver, port in
                let quay = slug("quay")
                try await house.register(port, scope: .app(quay), types: ["FreezeStarted"])
                for app in [harbour, quay] {
                    try await house.freeze(app, "Launch day")
                }
                let end = house.writer.logState.position
                try await house.happen()
                let administrator = HookHouse.administrator.principal
                let thaw = EndFreeze(of: .app(quay), reason: nil, by: administrator)
                try await house.useCases.perform(thaw, house.request())
                try await house.freeze(quay, "Again")
                try await house.withDispatcher {
                    try await eventually("both freezes") { receiver.positions.count == 2 }
                }
                #expect(receiver.positions == [end, house.writer.logState.position])
            }
        }
    }

    // Goal: ten minutes of 500, or of redirects, lose nothing and hold up nobody else.
    // Method: pauses move the clock, so the minutes are over in a moment; a second receiver gets
    // everything meanwhile.
    @Test(arguments: [(500, ""), (302, "Location: http://169.254.169.254/latest/meta-data\r\n")])
    func `ten minutes of errors lose nothing and block nobody`(
        _ status: Int,
        _ headers: String
    ) async throws {
        try await HookHouse.with { house in
            try await Receiver.with(.bytes(.answer(status, headers))) { sick, sickPort in
                try await Receiver.with { well, wellPort in
                    let id = try await house.register(sickPort)
                    try await house.register(wellPort)
                    let start = house.clock.now
                    var positions = [house.writer.logState.position]
                    for _ in 0..<5 { positions.append(try await house.happen()) }
                    try await house.withDispatcher {
                        try await eventually("the other") { well.positions.count == 5 }
                        try await eventually("ten minutes") {
                            house.clock.now >= start.advanced(by: .seconds(600))
                        }
                        #expect(Array(positions.dropFirst()) == well.positions)
                        #expect(sick.asked >= 7)
                        let view = try await house.useCases.webhook(
                            id,
                            for: HookHouse.administrator
                        )
                        #expect(view.trouble?.cause.hasPrefix("it answered \(status)") == true)
                        sick.answer(.bytes(.answer(200)))
                        try await eventually("all of it") { sick.positions.count == 6 }
                    }
                    #expect(sick.positions == positions)
                    #expect(try house.webhook(id).isEnabled)
                }
            }
        }
    }

    @Test(arguments: [ScriptedServer.Reply.part([]), .hangUp])
    func `a receiver that is slow or hangs up holds up nobody, and gets it later`(
        _ reply: ScriptedServer.Reply
    ) async throws {
        try await HookHouse.with { house in
            try await Receiver.with(reply) { slow, slowPort in
                try await Receiver.with { well, wellPort in
                    try await house.register(slowPort)
                    try await house.register(wellPort)
                    let last = try await house.happen()
                    try await house.withDispatcher {
                        try await eventually("the other") { well.positions == [last] }
                        try await eventually("an attempt") { slow.asked > 0 }
                        slow.answer(.bytes(.answer(200)))
                        try await eventually("both") { slow.positions.count == 2 }
                    }
                }
            }
        }
    }

    // Goal: a clock that was ahead for a while silences no webhook once it is right.
    @Test func `a next attempt ten years ahead is made now`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with { receiver, port in
                let id = try await house.register(port)
                let last = try await house.happen()
                let ahead = house.clock.now.advanced(by: .seconds(315_576_000))
                let registered = try house.webhook(id).registeredAt
                let place = WebhookProgress(
                    delivered: registered,
                    replay: nil,
                    replayTaken: .start,
                    enabledAt: registered,
                    trouble: WebhookProgress.Trouble(
                        failures: 1,
                        since: ahead,
                        nextAttempt: ahead.advanced(by: .seconds(5)),
                        failure: "it answered 500"
                    )
                )
                try await house.store.save(place, of: id, nil)
                try await house.withDispatcher { try await house.settle(id, at: last) }
                #expect(receiver.positions == [last])
                #expect(house.clock.now < ahead)
            }
        }
    }

    @Test func `a receiver that is down gets everything when it is back`() async throws {
        try await HookHouse.with { house in
            try await withHeldPorts(1) { ports in
                let id = try await house.register(ports[0])
                let positions = [try await house.happen(), try await house.happen()]
                try await house.withDispatcher {
                    try await eventually("three failures") {
                        try await house.deliveries(to: id).count >= 3
                    }
                    let deliveries = try await house.deliveries(to: id)
                    #expect(deliveries.allSatisfy { $0.failure == "the connection was refused" })
                    #expect(Set(deliveries.map(\.message)).count == 1)
                    let place = try await house.store.place(of: id)
                    #expect(try place?.delivered == house.webhook(id).registeredAt)
                    try await Receiver.with(at: ports[0]) { receiver, _ in
                        try await eventually("both events") { receiver.positions == positions }
                    }
                }
            }
        }
    }
}

extension HookHouse {
    fileprivate func freeze(_ app: AppSlug, _ words: String) async throws {
        let reason = try Reason(validating: words)
        let by = HookHouse.administrator.principal
        try await useCases.perform(StartFreeze(of: .app(app), reason: reason, by: by), request())
    }
}

extension ScriptedServer.Request {
    /// What a receiver does with the secret that it was told.
    func isSigned(with secret: String) -> Bool {
        guard let id = self["webhook-id"], let time = self["webhook-timestamp"],
            let key = Data(base64Encoded: String(secret.dropFirst(6)))
        else { return false }
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(id).\(time).\(body)".utf8),
            using: SymmetricKey(data: key)
        )
        let expected = "v1,\(Data(code).base64EncodedString())"
        return self["webhook-signature"]?.split(separator: " ").contains(expected[...]) ?? false
    }
}

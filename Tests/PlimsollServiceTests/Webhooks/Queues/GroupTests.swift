import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollStore
import PlimsollTestSupport
@testable import PlimsollService
import Testing

/// One act as one message, for whoever asked for that.
@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct GroupTests {
    // Goal: whoever asked for acts gets each once and whole, in the order of the log. Method: apps are
    // registered, which is several events at once; one receiver takes acts, another one events.
    @Test func `all events of an act are one message, and nothing is left out`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with { grouped, groupedPort in
                try await Receiver.with { single, singlePort in
                    let id = try await house.register(groupedPort) { $0.isGrouped = true }
                    try await house.register(singlePort)
                    let ends = [
                        try await house.registerApp("pier"), try await house.happen(),
                        try await house.registerApp("dock"),
                    ]
                    try await house.withDispatcher {
                        try await house.settle(id, at: try #require(ends.last))
                        try await eventually("the events") { single.positions.last == ends.last }
                    }
                    #expect(Array(grouped.positions.suffix(3)) == ends)
                    let groups = try grouped.taken.map { try json($0) }
                    let events = groups.flatMap { $0["events"]?.array ?? [] }
                    let all = try single.taken.map { try json($0) }
                    #expect(Array(events.suffix(all.count)) == all)
                    #expect(groups.allSatisfy { $0["type"] == "Group" && $0["actorName"] == .null })
                    let sizes = groups.map { $0["events"]?.array?.count ?? 0 }
                    #expect(sizes.suffix(3).first ?? 0 > 1)
                    #expect(Set(grouped.taken.compactMap { $0["webhook-id"] }).count == sizes.count)
                }
            }
        }
    }

    // Method: no two events have room in one message.
    @Test func `an act that is too long for a message comes in several, each once`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with { receiver, port in
                let id = try await house.register(port) { $0.isGrouped = true }
                let start = house.writer.logState.position
                let end = try await house.registerApp("pier")
                try await house.withDispatcher {
                    $0.messageBytesMaximum = 1
                } _: {
                    try await house.settle(id, at: end)
                }
                let positions = (start.rawValue + 1...end.rawValue).map { Position(Int($0)) }
                #expect(positions.count > 1)
                #expect(Array(receiver.positions.suffix(positions.count)) == positions)
                let ids = receiver.taken.compactMap { $0["webhook-id"] }
                #expect(Set(ids).count == ids.count)
            }
        }
    }

    @Test func `an act that is sent once more has the id it had`() async throws {
        try await HookHouse.with { house in
            try await Receiver.with { receiver, port in
                let id = try await house.register(port) { $0.isGrouped = true }
                let start = house.writer.logState.position
                let end = try await house.registerApp("pier")
                try await house.withDispatcher {
                    try await house.settle(id, at: end)
                    try await house.replay(to: id, since: start.advanced(by: 1), until: end)
                    try await eventually("the replay") {
                        receiver.taken.count { $0.body == receiver.taken[0].body } == 2
                    }
                }
                let same = receiver.taken.filter { $0.body == receiver.taken[0].body }
                #expect(Set(same.compactMap { $0["webhook-id"] }).count == 1)
            }
        }
    }

    @Test(arguments: [WebhookFormat.slack, .teams])
    func `a chat is sent what it shows, and a test too`(_ format: WebhookFormat) async throws {
        try await HookHouse.with { house in
            try await Receiver.with { receiver, port in
                let made = try await house.registered(port) {
                    ($0.format, $0.isGrouped) = (format, true)
                }
                let id = made.webhook.id
                let caller = HookHouse.administrator
                let test = try await house.useCases.testWebhook(id, for: caller)
                #expect(test.failure == nil)
                let end = try await house.registerApp("pier")
                try await house.withDispatcher { try await house.settle(id, at: end) }
                let secret = try #require(made.secret)
                let member = format == .slack ? "text" : "attachments"
                #expect(receiver.taken.count == 2)
                for request in receiver.taken {
                    #expect(try json(request)[member] != nil)
                    #expect(request.isSigned(with: secret))
                }
                #expect(receiver.taken.last?.body.contains("event \(end)") == true)
            }
        }
    }

    private func json(_ request: ScriptedServer.Request) throws -> JSONValue {
        try JSONValue(parsing: Array(request.body.utf8))
    }
}

import Foundation
import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

@Suite struct TraceTests {
    private static let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test(arguments: [
        parent, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-ff",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-comes-later",
    ])
    func `a trace goes on under its id, with a span of its own`(_ parent: String) {
        let trace = Trace(continuing: [parent])
        #expect(trace.id.uuidString == "4BF92F35-77B3-4DA6-A3CE-929D0E0E4736")
        #expect(trace.traceparent.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-"))
        #expect(trace.traceparent.hasSuffix("-01"))
        #expect(trace.traceparent.wholeMatch(of: /00-[0-9a-f]{32}-[0-9a-f]{16}-01/) != nil)
        #expect(!trace.traceparent.contains("00f067aa0ba902b7"))
    }

    @Test func `whoever began a trace decides whether it is recorded`() {
        let trace = Trace(continuing: [String(Self.parent.dropLast(2)) + "00"])
        #expect(trace.traceparent.hasSuffix("-00"))
    }

    @Test(arguments: [
        [], [""], [parent, parent], ["\(parent)-"], ["ff\(parent.dropFirst(2))"],
        [parent.uppercased()], [String(parent.dropLast())], ["\(parent)0"],
        ["00-00000000000000000000000000000000-00f067aa0ba902b7-01"],
        ["00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01"],
        ["00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01"],
        ["00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"],
    ])
    func `what is no trace begins a new one`(_ headers: [String]) {
        let trace = Trace(continuing: headers)
        #expect(!trace.name.hasPrefix("4bf92f3577b34da6"))
        #expect(trace != Trace(continuing: headers))
    }
}

@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct TraceRouteTests {
    @Test func `the events of a request keep the trace that it was part of`() async throws {
        try await ServiceFixture.with { service in
            let proposed = try await service.propose(
                Edits.minimum("3.2.0"),
                headers: [
                    .traceParent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                    .requestID: "ticket-17",
                ]
            )
            let parent = try #require(proposed.headers[.traceParent])
            #expect(parent.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-"))
            for type in ["ChangeProposed", "OperationsAdded"] {
                let path = "/v1/events?type=\(type)"
                let events = try await service.send(.get, path, as: .auditor).json["events"]
                let event = try #require(events?.array?.first)
                #expect(event["correlation"] == "4bf92f35-77b3-4da6-a3ce-929d0e0e4736")
                #expect(event["request"] == "ticket-17")
            }
        }
    }

    @Test func `an answer tells a trace, even where the request told none`() async throws {
        try await ServiceFixture.with { service in
            for path in ["/healthz", "/v1/nothing", "/v1/me"] {
                let answer = try await service.send(.get, path)
                let parent = try #require(answer.headers[.traceParent], "\(path)")
                // What it tells can be gone on with, under the same id.
                let id = parent.split(separator: "-")[1]
                #expect(Trace(continuing: [parent]).traceparent.contains(id), "\(parent)")
                #expect(parent.wholeMatch(of: /00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]/) != nil)
            }
        }
    }
}

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import PlimsollAPI
import PlimsollDomain
import PlimsollService
import Testing

@testable import PlimsollHTTP

@Suite struct AllowancesTests {
    private let alice = PrincipalID(UUID())
    private let bob = PrincipalID(UUID())
    private let start = ContinuousClock.now

    private func allowances(underWay: Int = 2, perMinute: Int = 60) -> Allowances {
        var limits = Allowances.Limits()
        (limits.underWay, limits.perMinute) = (underWay, perMinute)
        return Allowances(limits)
    }

    @Test func `so many may be under way, and each principal has their own`() throws {
        let allowances = allowances()
        for _ in 1...2 { try allowances.begin(alice, .usual, at: start) }
        let reached = #expect(throws: LimitReached.self) {
            try allowances.begin(alice, .usual, at: start)
        }
        #expect(reached?.limit == .underWay(2))
        try allowances.begin(alice, .emergency, at: start)
        try allowances.begin(bob, .usual, at: start)
        allowances.end(alice, .usual)
        try allowances.begin(alice, .usual, at: start)
    }

    @Test func `what was used up in a minute comes back by the second`() throws {
        let allowances = allowances()
        for _ in 1...60 {
            try allowances.begin(alice, .usual, at: start)
            allowances.end(alice, .usual)
        }
        let reached = try #require(
            #expect(throws: LimitReached.self) { try allowances.begin(alice, .usual, at: start) }
        )
        #expect(reached.limit == .perMinute(60))
        #expect(reached.fields[.retryAfter] == "1")
        #expect(reached.fields[.knownName("RateLimit-Policy")] == "\"minute\";q=60;w=60")
        #expect(reached.fields[.knownName("RateLimit")] == "\"minute\";r=0;t=1")
        let later = start.advanced(by: .seconds(reached.retryAfter))
        try allowances.begin(alice, .usual, at: later)
        allowances.end(alice, .usual)
        #expect(throws: LimitReached.self) { try allowances.begin(alice, .usual, at: later) }
    }

    // Goal: the whole record is not read more often at a time than anything else. Method: each body
    // looks, while it is written, whether there is room for one more.
    @Test func `what is read while it is written is under way until then, and no feed is`()
        async throws
    {
        let allowances = allowances(underWay: 1)
        let router = Router(context: PlimsollContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: Introduced(principal: alice))
        router.add(middleware: FairShare(allowances: allowances))
        for form in [ContentType.ndjson, .csv, .eventStream] {
            router.get("\(form)") { [alice] _, _ in
                Response(
                    status: .ok,
                    headers: [.contentType: form.field],
                    body: ResponseBody { writer in
                        #expect(hasRoom(allowances, alice) == (form == .eventStream), "\(form)")
                        try await writer.finish(nil)
                    }
                )
            }
        }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await Application(router: router, logger: logger).test(.router) { [alice] client in
            for form in [ContentType.ndjson, .csv, .eventStream] {
                for method in [HTTPRequest.Method.get, .head] {
                    let answer = try await client.executeRequest(
                        uri: "/\(form)",
                        method: method,
                        headers: [:],
                        body: nil
                    )
                    #expect(answer.status == .ok)
                    #expect(hasRoom(allowances, alice), "\(method) \(form)")
                }
            }
        }
    }

    // Goal: what an incident needs is let in from somebody whose scripts have used up all else.
    @Test(arguments: [
        ("apps/harbour/rollback", true), ("apps/harbour/block", true),
        ("apps/harbour/emergency", true), ("apps/harbour/freeze", true), ("freeze", true),
        ("apps/harbour/packages/withdraw", true), ("changes/7/withdraw", false),
        ("apps/harbour/rollback/", true), ("apps/harbour/packages//withdraw/", true),
        ("apps/harbour/changes", false),
    ])
    func `an act of an incident has room of its own`(_ path: String, _ isLetIn: Bool) async throws {
        let allowances = allowances(underWay: 1)
        try allowances.begin(alice, .usual)
        let router = Router(context: PlimsollContext.self)
        router.add(middleware: Introduced(principal: alice))
        router.add(middleware: FairShare(allowances: allowances))
        router.on("/v1/**", method: .post) { _, _ in HTTPResponse.Status.ok }
        router.on("/v1/**", method: .get) { _, _ in HTTPResponse.Status.ok }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await Application(router: router, logger: logger).test(.router) { client in
            for (method, isMet) in [(HTTPRequest.Method.post, isLetIn), (.get, false)] {
                let answer = try? await client.executeRequest(
                    uri: "/v1/\(path)",
                    method: method,
                    headers: [:],
                    body: nil
                )
                #expect((answer?.status == .ok) == isMet, "\(method)")
            }
        }
    }
}

/// Whether one more request may begin, which ends at once.
private func hasRoom(_ allowances: Allowances, _ principal: PrincipalID) -> Bool {
    guard (try? allowances.begin(principal, .usual)) != nil else { return false }
    allowances.end(principal, .usual)
    return true
}

/// Says who asks.
private struct Introduced: RouterMiddleware {
    let principal: PrincipalID

    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.caller = Caller(principal: principal, authentication: .service)
        return try await next(request, context)
    }
}

import HTTPTypes
import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService
import Synchronization

/// How much each principal may ask for at a time and in a minute.
///
/// What an emergency needs is counted apart: whoever has used up everything else can still act.
package final class Allowances: Sendable {
    /// What one principal may ask for.
    package struct Limits: Sendable {
        package var underWay = 16
        package var perMinute = 6000

        package init() {}
    }

    enum Kind: Hashable {
        case usual
        case emergency
    }

    private struct Account {
        var underWay = 0
        /// What may still be asked for; it grows by the second.
        var left: Double
        var countedAt: ContinuousClock.Instant
    }

    private struct Holder: Hashable {
        let principal: PrincipalID
        let kind: Kind
    }

    private let limits: Limits
    private let accounts = Mutex<[Holder: Account]>([:])

    /// Accounts of those who are done are forgotten when there are so many.
    private static let accountsMaximum = 4096

    package init(_ limits: Limits = Limits()) { self.limits = limits }

    /// Notes a request that begins, unless it is one too many.
    func begin(
        _ principal: PrincipalID,
        _ kind: Kind,
        at now: ContinuousClock.Instant = .now
    ) throws(LimitReached) {
        let (perMinute, perSecond) = (Double(limits.perMinute), Double(limits.perMinute) / 60)
        let reached = accounts.withLock { accounts -> LimitReached? in
            let holder = Holder(principal: principal, kind: kind)
            var account = accounts[holder] ?? Account(left: perMinute, countedAt: now)
            let passed = (now - account.countedAt) / .seconds(1)
            account.left = min(perMinute, account.left + passed * perSecond)
            account.countedAt = now
            defer { accounts[holder] = account }
            guard account.underWay < limits.underWay else {
                return LimitReached(.underWay(limits.underWay), retryAfter: 1)
            }
            guard account.left >= 1 else {
                let seconds = ((1 - account.left) / perSecond).rounded(.up)
                return LimitReached(.perMinute(limits.perMinute), retryAfter: Int(seconds))
            }
            account.left -= 1
            account.underWay += 1
            if accounts.count > Self.accountsMaximum {
                accounts = accounts.filter { $0.value.underWay > 0 }
            }
            return nil
        }
        if let reached { throw reached }
    }

    func end(_ principal: PrincipalID, _ kind: Kind) {
        accounts.withLock { $0[Holder(principal: principal, kind: kind)]?.underWay -= 1 }
    }
}

/// A request that began, and is under way until nobody holds this any more.
private final class Share: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}

/// A request too many.
struct LimitReached: Error, Equatable {
    enum Limit: Equatable {
        case underWay(Int)
        case perMinute(Int)
    }

    let limit: Limit
    /// In seconds.
    let retryAfter: Int

    init(_ limit: Limit, retryAfter: Int) {
        (self.limit, self.retryAfter) = (limit, retryAfter)
    }

    var problem: Problem {
        let (code, detail) =
            switch limit {
            case .underWay(let most):
                ("tooManyAtOnce", "\(most) requests of yours are under way, which is the most.")
            case .perMinute(let most):
                ("tooManyInAMinute", "You may send \(most) requests a minute, and did.")
            }
        return Problem(
            .tooManyRequests,
            detail: detail,
            errors: [
                Problem.Fault(
                    at: nil,
                    code: code,
                    detail: detail,
                    remedy: "Send it again in \(retryAfter) s."
                )
            ]
        )
    }

    /// `Retry-After`, and the fields `RateLimit` and `RateLimit-Policy` of the IETF's draft.
    var fields: HTTPFields {
        let policy =
            switch limit {
            case .underWay(let most): "\"at-once\";q=\(most);qu=\"requests\""
            case .perMinute(let most): "\"minute\";q=\(most);w=60"
            }
        let name = policy.prefix { $0 != ";" }
        return [
            .retryAfter: "\(retryAfter)", .knownName("RateLimit-Policy"): policy,
            .knownName("RateLimit"): "\(name);r=0;t=\(retryAfter)",
        ]
    }
}

/// Lets nobody ask for so much that others have to wait.
///
/// What is read while it is written, as the whole record is, is under way until then. A feed waits for
/// what happens, and keeps nobody waiting.
struct FairShare: RouterMiddleware {
    let allowances: Allowances

    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        guard let principal = context.caller?.principal else { throw Problem.unauthenticated }
        let kind = kind(of: request)
        try allowances.begin(principal, kind)
        let share = Share { [allowances] in allowances.end(principal, kind) }
        let response = try await next(request, context)
        return response.isExport ? response.holding(share) : response
    }

    private func kind(of request: Request) -> Allowances.Kind {
        let acts = ["/rollback", "/block", "/emergency", "/freeze", "/packages/withdraw"]
        // As the router reads it, to which one slash more makes no difference.
        let path = "/" + request.uri.path.split(separator: "/").joined(separator: "/")
        let isEmergency = acts.contains { path.hasSuffix($0) }
        return isEmergency && request.method != .get ? .emergency : .usual
    }
}

extension Response {
    fileprivate var isExport: Bool {
        body.contentLength == nil && headers[.contentType] != ContentType.eventStream.field
    }

    /// The same, with a share that is held until the body is written or let go.
    fileprivate func holding(_ share: Share) -> Response {
        var response = self
        response.body = ResponseBody { [body] writer in
            defer { withExtendedLifetime(share) {} }
            try await body.write(writer)
        }
        return response
    }
}

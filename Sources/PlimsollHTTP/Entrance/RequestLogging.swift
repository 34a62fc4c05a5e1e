import Foundation
package import HTTPTypes
import Hummingbird
import Logging
import Metrics
import PlimsollStore

/// Writes one line for every request, and binds its logger for all that is called below.
struct RequestLogging: RouterMiddleware {
    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        let started = ContinuousClock.now
        let response = try await withLogger(context.logger) { _ in
            try await next(request, context)
        }
        context.logger.info(
            "Request answered",
            metadata: [
                "http.method": .string(request.method.rawValue),
                "http.path": .string(request.uri.path),
                "http.status": .stringConvertible(response.status.code),
                "duration": .string("\(ContinuousClock.now - started)"),
            ]
        )
        return response
    }
}

/// Counts requests and takes their time, by route, method and status.
struct RequestMetrics: RouterMiddleware {
    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        let started = ContinuousClock.now
        let response = try await next(request, context)
        let dimensions = [
            ("method", knownMethods.contains(request.method) ? request.method.rawValue : "other"),
            ("route", context.endpointPath ?? "unknown"),
            ("status", String(response.status.code)),
        ]
        Counter(label: "plimsoll.http.requests", dimensions: dimensions).increment()
        Metrics.Timer(label: "plimsoll.http.request.duration", dimensions: dimensions)
            .recordNanoseconds((ContinuousClock.now - started).nanoseconds)
        return response
    }

    /// Whatever else a caller makes up must not make a new time series.
    private let knownMethods: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .patch, .delete, .options,
    ]
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}

/// Gives every request a name, which its answer and all its lines in the log carry.
///
/// A caller's own `X-Request-Id` is taken over where it is harmless in a log, and so is the trace
/// that the request is part of.
struct RequestNaming: RouterMiddleware {
    @concurrent func handle(
        _ request: Request,
        context: PlimsollContext,
        next: @concurrent (Request, PlimsollContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let given = request.headers[.requestID], isHarmless(given) { context.requestID = given }
        context.trace = Trace(continuing: request.headers[values: .traceParent])
        context.logger[metadataKey: "request.id"] = .string(context.requestID)
        context.logger[metadataKey: "trace.id"] = .string(context.trace.name)
        var response = try await next(request, context)
        response.headers[.requestID] = context.requestID
        response.headers[.traceParent] = context.trace.traceparent
        return response
    }

    private func isHarmless(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0)
                    || [0x2D, 0x2E, 0x5F].contains($0)
            }
    }
}

extension HTTPField.Name {
    static let requestID = knownName("X-Request-Id")
    static let traceParent = knownName("traceparent")
    static let idempotencyKey = knownName("Idempotency-Key")
    static let idempotencyInput = knownName("Idempotency-Input")

    /// A name that is known to be one.
    package static func knownName(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else {
            preconditionFailure("a header's name is written in letters and hyphens")
        }
        return name
    }
}

/// Where a request stands in a trace that may go through several services
/// ([W3C Trace Context](https://www.w3.org/TR/trace-context/)).
struct Trace: Equatable, Sendable {
    /// Shared by all that one action leads to; events keep it as their correlation.
    let id: UUID
    /// The name of what this service does in it.
    let span: UInt64
    /// Whoever began the trace decides whether it is recorded.
    let isSampled: Bool

    /// Begins a trace.
    init() {
        self.init(id: UUID(), isSampled: false)
    }

    private init(id: UUID, isSampled: Bool) {
        self.id = id
        self.isSampled = isSampled
        span = UInt64.random(in: 1 ... .max)
    }

    /// Goes on with a trace, or begins one where the header is missing or is not to be understood.
    init(continuing headers: [String]) {
        guard headers.count == 1, let parent = headers.first.flatMap(Trace.init(traceparent:))
        else {
            self.init()
            return
        }
        self = parent
    }

    /// A version of the format that is not known yet is read by what the known one has of it.
    private init?(traceparent: String) {
        let parts = traceparent.split(separator: "-", omittingEmptySubsequences: false)
        guard
            parts.count >= 4, let version = number(parts[0], digits: 2), version != 0xFF,
            version > 0 || parts.count == 4, let id = identifier(parts[1]),
            let parent = number(parts[2], digits: 16), parent != 0,
            let flags = number(parts[3], digits: 2)
        else { return nil }
        self.init(id: id, isSampled: flags & 1 == 1)
    }

    /// The id as other services write it.
    var name: String { id.uuidString.lowercased().replacing("-", with: "") }

    /// What is sent back.
    var traceparent: String {
        "00-\(name)-\(hexadecimal(span))-\(isSampled ? "01" : "00")"
    }
}

/// Lower-case digits only (Trace Context, 3.2.2).
private func number(_ text: Substring, digits: Int) -> UInt64? {
    let isPlain = text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
    }
    return text.utf8.count == digits && isPlain ? UInt64(text, radix: 16) : nil
}

private func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}

/// The 32 digits of a trace's id, which are not all 0.
private func identifier(_ text: Substring) -> UUID? {
    guard
        text.utf8.count == 32, let high = number(text.prefix(16), digits: 16),
        let low = number(text.suffix(16), digits: 16), high != 0 || low != 0
    else { return nil }
    return UUID(high: high, low: low)
}

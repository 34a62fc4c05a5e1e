import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PlimsollAPI
import PlimsollService
import PlimsollStore

/// A write as it came in: of what, what was seen and said, by whom, under which name, and whether
/// for real.
struct WriteCall<Names: PathNames, Seen: ReadPrecondition, Body: Form> {
    let names: Names
    let seen: Seen.Value
    let form: Body
    let write: WriteRequest

    init(_ request: Request, _ context: CallerContext) async throws {
        names = try context.names()
        seen = try Seen.value(in: request.headers)
        var query = QueryReader(request)
        let isDryRun = query.one("dryRun", "true or false", Bool.init) ?? false
        try query.finish()
        let key = try IdempotencyKey(request.headers)
        let input = try IdempotencyInput(request.headers)
        let bytes = try await request.jsonBytes()
        form = try Body(body: bytes)
        write = WriteRequest(
            caller: context.caller,
            id: context.requestID,
            identity: identity(
                of: request,
                key,
                input.map { Array($0.text.utf8) } ?? bytes,
                context
            ),
            mode: isDryRun ? .dryRun : .commit,
            correlation: context.trace.id
        )
    }
}

/// Without a key nobody will name the command again.
///
/// What a decision binds to is part of what was asked, as much as the body, or what the caller says in
/// its place.
private func identity(
    of request: Request,
    _ key: IdempotencyKey?,
    _ bytes: [UInt8],
    _ context: CallerContext
) -> CommandIdentity {
    guard let key else { return .once(bytes) }
    return .keyed(
        key.text,
        by: context.caller.principal,
        method: request.method.rawValue,
        path: request.uri.path,
        body: bytes + Array((request.headers[.ifMatch] ?? "").utf8)
    )
}

extension Request {
    /// The bytes of a JSON body; those of an empty object where there is no body.
    func jsonBytes() async throws -> [UInt8] {
        let buffer = try await wholeBody()
        guard buffer.readableBytes > 0 else { return Array("{}".utf8) }
        guard isJSON(headers[.contentType]) else { throw Problem.mediaTypeWrong }
        return Array(buffer.readableBytesView)
    }
}

/// A charset is accepted where it is the one that JSON has (RFC 8259, 8.1).
private func isJSON(_ contentType: String?) -> Bool {
    let parts = (contentType ?? "").lowercased().split(separator: ";").map {
        $0.trimmingCharacters(in: .whitespaces)
    }
    return parts.first == ContentType.json.rawValue
        && parts.dropFirst().allSatisfy { $0 == "charset=utf-8" || $0 == "charset=\"utf-8\"" }
}

extension Problem {
    static let mediaTypeWrong = Problem(
        .unsupportedMediaType,
        detail: "The body has to be application/json in UTF-8.",
        errors: [
            Fault(
                at: .header("Content-Type"),
                code: "mediaTypeWrong",
                detail: "The header does not say application/json.",
                remedy: "Send Content-Type: application/json."
            )
        ]
    )
}

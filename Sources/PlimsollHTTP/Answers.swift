import HTTPTypes
import Hummingbird
import NIOCore
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollService

/// An answer on its way out: its status, its body and its entity tag.
///
/// A reader that has it already gets 304 in its stead.
struct Reply: ResponseGenerator {
    var status: HTTPResponse.Status
    var headers: HTTPFields
    /// Whether a caller who prefers it is told only that it was done (RFC 7240, 4.2).
    var mayBeBrief = false
    /// Whether the tag says enough for 304.
    private var mayBeKnown = true
    private let bytes: [UInt8]

    /// The answer to a question, by its own tag where it has one.
    init(_ answer: any Answer) {
        let tagged = answer as? any TaggedAnswer
        self.init(bytes: answer.bytes, mediaType: .json, tag: tagged?.tag)
        mayBeKnown = tagged?.isToldByTag ?? true
    }

    /// The same with the way to the next part of a list (RFC 8288).
    init(_ answer: any Answer, to request: Request) {
        self.init(answer)
        guard let next = (answer as? any PagedAnswer)?.next else { return }
        let kept = (request.uri.query ?? "").split(separator: "&")
            .filter { !$0.hasPrefix("cursor=") }.map(String.init)
        let query = (kept + ["cursor=\(next)"]).joined(separator: "&")
        headers[.link] = "<\(request.uri.path)?\(query)>; rel=\"next\""
    }

    /// The answer to a write; a dry run says so, and has made nothing.
    init(
        _ answer: any Answer,
        to write: WriteRequest,
        of endpoint: EndpointFacts,
        at location: String? = nil
    ) {
        let tag = (answer as? any TaggedAnswer)?.tag
        guard write.mode == .commit else {
            var json = answer.json
            json["dryRun"] = true
            self.init(bytes: json.canonicalBytes(), mediaType: .json, tag: tag)
            return
        }
        self.init(bytes: answer.bytes, mediaType: .json, tag: tag)
        status = HTTPResponse.Status(code: endpoint.status)
        headers[.location] = location
        mayBeBrief = endpoint.canBeBrief
    }

    init(bytes: [UInt8], mediaType: ContentType, tag: EntityTag? = nil) {
        status = .ok
        self.bytes = bytes
        headers = [
            .contentType: mediaType.field,
            .eTag: (tag ?? EntityTag(of: bytes)).field,
        ]
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        guard !isKnown(to: request) else {
            var headers = headers
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        }
        if mayBeBrief, let wish = ReturnPreference(request.headers) {
            return response(preferred: wish)
        }
        return whole(headers)
    }

    private func response(preferred wish: ReturnPreference) -> Response {
        var headers = headers
        headers[.preferenceApplied] = "return=\(wish.rawValue)"
        guard wish == .minimal else { return whole(headers) }
        headers[.contentType] = nil
        return Response(status: status == .ok ? .noContent : status, headers: headers)
    }

    private func whole(_ headers: HTTPFields) -> Response {
        Response(
            status: status,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    private func isKnown(to request: Request) -> Bool {
        guard mayBeKnown, request.method == .get || request.method == .head,
            let field = headers[.eTag]
        else { return false }
        return EntityTag(opaque: String(field.dropFirst().dropLast()))
            .isNamed(by: request.headers)
    }
}

extension HTTPField.Name {
    fileprivate static let link = knownName("Link")
}

import HTTPTypes
import Hummingbird

extension Reply {
    /// Says where the next part of a list is (RFC 8288).
    func linked(to next: Cursor?, of request: Request) -> Reply {
        guard let next else { return self }
        let kept = (request.uri.query ?? "").split(separator: "&")
            .filter { !$0.hasPrefix("cursor=") }.map(String.init)
        let query = (kept + ["cursor=\(next.text)"]).joined(separator: "&")
        var reply = self
        reply.headers[.link] = "<\(request.uri.path)?\(query)>; rel=\"next\""
        return reply
    }
}

extension HTTPField.Name {
    fileprivate static let link = knownName("Link")
}

import Hummingbird
import PlimsollAPI
import PlimsollJSON

extension Visit {
    /// A form as the interface reads it; what it would refuse is refused in its words.
    func read<Body: Form>(_ type: Body.Type, _ json: JSONObject) throws -> Body {
        try read(type, bytes: json.canonicalBytes())
    }

    /// The same of what somebody wrote as JSON themselves.
    func read<Body: Form>(_ type: Body.Type, bytes: [UInt8]) throws -> Body {
        do throws(Problem) {
            return try Body(body: bytes)
        } catch {
            throw AdminError(.refused(error), url: request.uri.path)
        }
    }
}

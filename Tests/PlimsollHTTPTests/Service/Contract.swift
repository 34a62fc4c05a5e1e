import HTTPTypes
import PlimsollAPI
import PlimsollJSON

@testable import PlimsollHTTP

/// What the description of the interface promises, held against what came back.
struct Contract {
    static let service = Contract()

    private let document = JSONValue.object(OpenAPIDocument(.service).json)

    func faults(
        in answer: ServiceAnswer,
        to method: HTTPRequest.Method,
        _ path: String
    ) -> [String] {
        let validator = SchemaValidator(document)
        if answer.headers[.contentType] == Problem.mediaType, method != .head {
            let status = answer.json["status"]?.integer.map(Int.init)
            let agreement = status == answer.status.code ? [] : ["the statuses differ"]
            return validator.faults(in: answer.json, "Problem") + agreement
                + undocumented(answer, method, path)
        }
        let route = route(method, path)
        guard let schema = route?.answer, !answer.bytes.isEmpty, answer.json != .null
        else { return undocumented(answer, method, path) }
        return validator.faults(in: answer.json, .object(schema.json), "")
            + undocumented(answer, method, path)
    }

    /// Whether the description knows the status; of what is at no route it says nothing.
    private func undocumented(
        _ answer: ServiceAnswer,
        _ method: HTTPRequest.Method,
        _ path: String
    ) -> [String] {
        guard let route = route(method, path) else { return [] }
        let verb = route.method.rawValue.lowercased()
        let responses = document["paths"]?[route.path]?[verb]?["responses"]
        let code = String(answer.status.code)
        return responses?[code] == nil ? ["\(code) is not documented for \(route.name)"] : []
    }

    private func route(_ method: HTTPRequest.Method, _ path: String) -> EndpointFacts? {
        let asked = method == .head ? .get : method
        return RouteTable.service.routes.first { $0.httpMethod == asked && $0.leads(from: path) }
    }
}

import PlimsollDomain
package import PlimsollJSON

extension Problem: Answer {
    package static let mediaType = "application/problem+json"

    package init?(_ reader: inout ObjectReader) {
        let type = reader.string("type")
        let title = reader.string("title")
        let status = reader.integer("status").flatMap { Int(exactly: $0) }
        let detail = reader.optionalString("detail")
        let errors = (reader.optionalArray("errors") ?? []).compactMap { $0.object }.compactMap {
            reader.nested($0, at: reader.pointer.appending("errors"), .ignored, Fault.init)
        }
        let instance = reader.optionalString("instance")
        let requestID = reader.optionalString("requestId")
        guard let type, let title, let status else { return nil }
        self.init(type: type, title: title, status: status, detail: detail ?? "", errors: errors)
        self.instance = instance
        self.requestID = requestID
    }

    package var json: JSONObject {
        var json: JSONObject = [
            "type": .string(type),
            "title": .string(title),
            "status": .integer(Int64(status)),
            "detail": .string(detail),
        ]
        json["instance"] = instance.map(JSONValue.string)
        json["requestId"] = requestID.map(JSONValue.string)
        if !errors.isEmpty { json["errors"] = JSONValue(errors) }
        return json
    }
}

extension Problem.Fault: Answer {
    package init?(_ reader: inout ObjectReader) {
        let pointer = reader.optionalString("pointer").map { Problem.Place.body(Pointer($0)) }
        let parameter = reader.optionalString("parameter").map(Problem.Place.parameter)
        let header = reader.optionalString("header").map(Problem.Place.header)
        let detail = reader.string("detail")
        let code = reader.string("code")
        let remedy = reader.optionalString("remedy")
        guard let detail, let code else { return nil }
        self.init(at: pointer ?? parameter ?? header, code: code, detail: detail, remedy: remedy)
    }

    package var json: JSONObject {
        var json: JSONObject = ["code": .string(code), "detail": .string(detail)]
        switch place {
        case .body(let pointer): json["pointer"] = .string(pointer.text)
        case .parameter(let name): json["parameter"] = .string(name)
        case .header(let name): json["header"] = .string(name)
        case nil: break
        }
        json["remedy"] = remedy.map(JSONValue.string)
        return json
    }
}

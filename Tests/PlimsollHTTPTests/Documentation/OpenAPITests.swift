import Foundation
import PlimsollAPI
import PlimsollJSON
import Testing

@testable import PlimsollHTTP

@Suite struct OpenAPITests {
    private let document = JSONValue.object(OpenAPIDocument(.service).json)

    @Test func `every reference leads somewhere`() {
        for reference in references(in: document) {
            var place: JSONValue? = document
            for step in reference.split(separator: "/").dropFirst() {
                place = place?[String(step)]
            }
            #expect(place != nil, "\(reference) leads nowhere")
        }
    }

    @Test func `every schema is used`() {
        let used = Set(references(in: document))
        for component in Components.schemas {
            #expect(used.contains("#/components/schemas/\(component.name)"), "\(component.name)")
        }
    }

    @Test func `every object says which members it has, and has no others`() {
        for schema in objects(in: document) where schema["properties"] != nil {
            #expect(schema["additionalProperties"] == false)
        }
    }

    @Test func `every kind of problem has an example that its schema accepts`() throws {
        let validator = SchemaValidator(document)
        for code in ProblemCode.allCases {
            let place = document["components"]?["responses"]?["Problem\(code.status)"]
            let content = place?["content"]?[Problem.mediaType]
            let example = try #require(content?["examples"]?[code.rawValue]?["value"])
            #expect(validator.faults(in: example, "Problem") == [])
            #expect(try Problem(example).code == code)
        }
    }

    @Test func `what was seen has to be named wherever it is demanded`() throws {
        var demanding: Set<String> = []
        for path in try #require(document["paths"]?.object).members {
            for operation in path.value.object?.members ?? [] {
                let parameters = operation.value["parameters"]?.array ?? []
                guard let condition = parameters.first(where: { $0["name"] == "If-Match" }),
                    condition["required"] == true
                else { continue }
                demanding.insert(try #require(operation.value["operationId"]?.string))
            }
        }
        #expect(demanding.isSuperset(of: ["changeSettings", "activateKey", "retireKey"]))
        #expect(demanding.contains("approveChange"))
        #expect(demanding.isDisjoint(with: ["changePolicy", "compromiseKey"]))
    }

    @Test func `no name is given to two routes`() {
        let names = RouteTable.service.routes.map(\.name)
        #expect(Set(names).count == names.count)
    }
}

func references(in value: JSONValue) -> [String] {
    switch value {
    case .object(let object):
        object.members.flatMap { member in
            member.key == "$ref" ? [member.value.string ?? ""] : references(in: member.value)
        }
    case .array(let values): values.flatMap(references)
    case .null, .bool, .integer, .string: []
    }
}

private func objects(in value: JSONValue) -> [JSONValue] {
    switch value {
    case .object(let object):
        (value["type"] == "object" ? [value] : [])
            + object.members.flatMap { objects(in: $0.value) }
    case .array(let values): values.flatMap(objects)
    case .null, .bool, .integer, .string: []
    }
}

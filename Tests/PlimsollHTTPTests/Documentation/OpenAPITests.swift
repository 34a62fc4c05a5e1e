import Foundation
import PlimsollAPI
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

@Suite struct OpenAPITests {
    private let document = JSONValue.object(OpenAPIDocument(.service).json)

    // Goal: generators and viewers of OpenAPI take the description. Method: the validator of the
    // specification's own schema, which comes with the Python that the tests have anyway.
    @Test func `the description is valid by the specification of OpenAPI`() async throws {
        let folder = FileManager.default.temporaryDirectory
        let file = folder.appending(path: "openapi-\(UUID().uuidString).json")
        try Data(document.canonicalBytes()).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let script = """
            import json, sys
            from openapi_spec_validator import OpenAPIV31SpecValidator
            faults = list(OpenAPIV31SpecValidator(json.load(open(sys.argv[1]))).iter_errors())
            print("\\n".join(str(fault) for fault in faults) or "valid", end="")
            """
        let check = try await run(StoreProcess.python, ["-c", script, file.path])
        #expect(check.output == "valid", "\(check.errors)")
    }

    @Test func `every operation is sorted and described, and so is every parameter`() throws {
        let tags = (document["tags"]?.array ?? []).map { $0["name"] }
        #expect(tags.count == Set(tags.compactMap(\.?.string)).count && tags.count > 5)
        for path in try #require(document["paths"]?.object).members {
            for operation in path.value.object?.members ?? [] {
                let place = "\(operation.key) \(path.key)"
                let tag = operation.value["tags"]?.array?.first
                #expect(tag != nil && tags.contains(tag), "\(place)")
                let description = operation.value["description"]?.string ?? ""
                #expect(description.hasSuffix("."), "\(place)")
                for parameter in operation.value["parameters"]?.array ?? [] {
                    let name = parameter["name"]?.string ?? ""
                    let meaning = parameter["description"]?.string ?? ""
                    #expect(meaning.hasSuffix("."), "\(place): \(name) is not described")
                }
            }
        }
    }

    @Test func `the member op says which operation it is`() throws {
        let operation = try #require(document["components"]?["schemas"]?["Operation"])
        let discriminator = try #require(operation["discriminator"])
        #expect(discriminator["propertyName"] == "op")
        let mapping = try #require(discriminator["mapping"]?.object)
        #expect(
            Set(mapping.members.compactMap(\.value.string))
                == Set(operation["oneOf"]?.array?.compactMap { $0["$ref"]?.string } ?? [])
        )
        for name in mapping.members {
            let component = name.value.string?.split(separator: "/").last.map(String.init) ?? ""
            let schema = try #require(document["components"]?["schemas"]?[component])
            for alternative in schema["oneOf"]?.array ?? [schema] {
                #expect(alternative["properties"]?["op"]?["const"] == .string(name.key))
            }
        }
    }

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
        for name in document["components"]?["schemas"]?.object?.keys ?? [] {
            #expect(used.contains("#/components/schemas/\(name)"), "\(name)")
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
        #expect(demanding.isDisjoint(with: ["changePolicy", "setMarketplace", "compromiseKey"]))
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

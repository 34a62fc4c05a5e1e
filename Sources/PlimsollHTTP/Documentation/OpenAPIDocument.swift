import HTTPTypes
import Hummingbird
import PlimsollAPI
import PlimsollJSON

/// The description of the interface (OpenAPI 3.1), made from the endpoints.
struct OpenAPIDocument {
    let json: JSONObject

    init(_ table: RouteTable) {
        json = [
            "openapi": "3.1.0",
            "info": [
                "title": "Plimsoll",
                "version": "1",
                "description": """
                Minimum and recommended versions of mobile apps (force update, kill switch, remote \
                config), proposed, approved, recorded, and published signed.
                """,
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
            ],
            "servers": [["url": "/"]],
            "tags": .array(
                EndpointTag.allCases.map {
                    ["name": .string($0.rawValue), "description": .string($0.description)]
                }
            ),
            "paths": .object(paths(table)),
            "components": [
                "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
                "schemas": .object(components(table)),
                "responses": .object(problemResponses),
            ],
        ]
    }
}

private func paths(_ table: RouteTable) -> JSONObject {
    var paths: JSONObject = [:]
    for route in table.routes {
        var item = paths[route.path]?.object ?? [:]
        item[route.method.rawValue.lowercased()] = .object(route.json)
        paths[route.path] = .object(item)
    }
    return paths
}

/// The schemas that requests, answers and problems refer to, by name.
private func components(_ table: RouteTable) -> JSONObject {
    let roots = table.routes.flatMap { [$0.body, $0.answer].compactMap(\.self) }
    let components = Schema(json: [:], within: roots + [Problem.shape.reference]).components
    return JSONObject(
        components.map { JSONObject.Member(key: $0.key, value: .object($0.value.json)) }
    )
}

/// One answer for every status, with an example of every problem that has it.
private let problemResponses: JSONObject = {
    var responses: JSONObject = [:]
    for status in Set(ProblemCode.allCases.map(\.status)).sorted() {
        let codes = ProblemCode.allCases.filter { $0.status == status }
        var examples: JSONObject = [:]
        for code in codes { examples[code.rawValue] = ["value": .object(code.example.json)] }
        responses["Problem\(status)"] = [
            "description": .string(codes.map(\.title).joined(separator: ", or ") + "."),
            "content": [
                Problem.mediaType: [
                    "schema": .object(Problem.shape.reference.json),
                    "examples": .object(examples),
                ]
            ],
        ]
    }
    return responses
}()

extension EndpointFacts {
    fileprivate var json: JSONObject {
        var json: JSONObject = [
            "operationId": .string(name),
            "tags": [.string(tag.rawValue)],
            "summary": .string(summary),
            "description": .string(description),
            "security": needsCaller ? [["token": []]] : [],
            "parameters": .array(parameters),
            "responses": .object(responses),
        ]
        if let body {
            json["requestBody"] = [
                "required": .bool(!allowsNoBody),
                "content": content(body, [.json]),
            ]
        }
        if let bytes {
            json["requestBody"] = ["required": true, "content": content(.string, [bytes])]
        }
        return json
    }

    private var parameters: [JSONValue] {
        pathParameters.map { parameter($0, in: "path", .pathParameter($0), isRequired: true) }
            + query.map { $0.json }
            + (isWrite
                ? [
                    parameter("dryRun", in: "query", .boolean),
                    parameter("Idempotency-Key", in: "header", .idempotencyKey),
                    parameter("Idempotency-Input", in: "header", .idempotencyKey),
                ] : [])
            + (canBeBrief ? [parameter("Prefer", in: "header", .string)] : [])
            + condition
            + (needsCaller ? [parameter("atLeast", in: "query", .position)] : [])
            + (needsCaller && method == .get
                ? [parameter("If-None-Match", in: "header", .string)] : [])
    }

    /// What was seen.
    private var condition: [JSONValue] {
        guard let precondition else { return [] }
        let tag = precondition == .change ? Schema.digestTag : .positionTag
        return [parameter("If-Match", in: "header", tag, isRequired: precondition.isDemanded)]
    }

    private var responses: JSONObject {
        var responses: JSONObject = [:]
        responses[String(status)] = .object(success(isCreated: status == 201))
        if status != 200 { responses["200"] = .object(success(isCreated: false)) }
        if method == .get { responses["304"] = ["description": "You have it already."] }
        if isWrite, status == 204 || canBeBrief && status == 200 {
            responses["204"] = ["description": "Done."]
        }
        for status in Set(problems.map(\.status)).sorted() {
            responses[String(status)] = [
                "$ref": .string("#/components/responses/Problem\(status)")
            ]
        }
        return responses
    }

    private func success(isCreated: Bool) -> JSONObject {
        var headers: JSONObject = ["ETag": ["schema": .object(Schema.string.json)]]
        if needsCaller {
            headers["Plimsoll-Position"] = ["schema": .object(Schema.position.json)]
        }
        if isCreated { headers["Location"] = ["schema": .object(Schema.string.json)] }
        var json: JSONObject = [
            "description": .string(isCreated ? "Made." : "The answer."),
            "headers": .object(headers),
        ]
        json["content"] = content(answer ?? .anyObject, forms)
        return json
    }

    private func content(_ schema: Schema, _ mediaTypes: [ContentType]) -> JSONValue {
        var content: JSONObject = [:]
        for mediaType in mediaTypes {
            // A line of the NDJSON form is an event, which only a reader of lines can check.
            let schema = mediaType == .json ? schema : Schema.string
            content[mediaType.rawValue] = ["schema": .object(schema.json)]
        }
        return .object(content)
    }
}

extension QueryParameter {
    fileprivate var json: JSONValue {
        let schema = isRepeatable ? Schema.array(of: schema) : schema
        return parameter(name, in: "query", schema, isRequired: isRequired, description)
    }
}

private func parameter(
    _ name: String,
    in place: String,
    _ schema: Schema,
    isRequired: Bool = false,
    _ description: String? = nil
) -> JSONValue {
    [
        "name": .string(name), "in": .string(place), "required": .bool(isRequired),
        "description": JSONValue(description ?? parameterDescriptions[name]),
        "schema": .object(schema.json),
    ]
}

/// What parameters mean wherever they stand; a test sees that each has a meaning.
private let parameterDescriptions = [
    "Idempotency-Input":
        "What was asked under the key; it counts in the place of the body and of `If-Match`.",
    "Idempotency-Key":
        "Names the write: sent again with the same key and body, it happens once.",
    "If-Match": "The ETag of what was seen.",
    "If-None-Match": "The ETag of what is known; answered with 304 where that is still so.",
    "Prefer": "`return=minimal` leaves the body of the answer out.",
    "actor": "Events of these principals.",
    "app": "An app by its slug.",
    "at": "As it was at this time.",
    "author": "Changes that these principals proposed.",
    "change": "A change by its number.",
    "atLeast": "The position up to which the record has to be known.",
    "client": "The generation of apps that is simulated.",
    "closed": "Those that were closed, the last one first, instead of those that are open.",
    "correlation": "Events that belong to these requests, by the trace's id.",
    "cursor": "Where the page before ended, from `next` of its answer.",
    "dryRun": "Writes nothing, and answers what would be.",
    "entryKey": "An entry key by its id.", "session": "A session of the console by its id.",
    "event": "As it was after the event at this position.",
    "field": "A field by its path, such as `ios.minimumApp.value`.",
    "from": "The state to start from.",
    "in": "The state whose document is wanted.",
    "index": "The index of a tile, in parts such as `x001/234.p/5`.",
    "installed": "The AppleVersionID that the device has, where it has one.",
    "item": "The AppleItemID of the app that a device asks about.",
    "key": "A signing key by its id.",
    "language": "The language of the device, then other languages its owner reads: `de-DE,fr`.",
    "level": "The level of a tile, or `entries`.",
    "limit": "How many to answer at most.",
    "marketplace": "The slug of the app that a marketplace is.",
    "needsMe": "Only those that wait for something the caller may do.",
    "order": "Which come first.",
    "os": "The version of the operating system.",
    "overdue": "Only those that should have been closed by now, or only the others.",
    "owner": "Reviews that these principals have to close.",
    "platform": "A platform.",
    "position": "The position of an event.",
    "principal": "A principal by its id.",
    "problem": "A kind of problem by its code.",
    "reason": "Events with these words in their reason.",
    "since": "Not before this time or position.",
    "state": "Changes in these states.",
    "store": "The version that the store offers; without it the newest registered release.",
    "to": "The state to compare with.",
    "token": "A token by its id.",
    "type": "Events of these types.",
    "until": "Not after this time or position.",
    "version": "The version of a release.",
    "with":
        "What each event of a stream of lines has besides: its entry in base64, which is hashed.",
    "webhook": "A webhook by its id.",
]

extension Schema {
    fileprivate static let idempotencyKey = Schema(json: [
        "type": "string", "pattern": "^[!-~]{1,255}$",
    ])

    fileprivate static func pathParameter(_ name: String) -> Schema {
        switch name {
        case "app", "marketplace": slug
        case "platform": platform
        case "version": dottedVersion
        case "change": change
        case "position": integer(from: 1)
        case "principal": principal
        case "level", "index": string
        case "entryKey": entryKey
        case "problem": names(ProblemCode.self)
        case "key", "session", "token", "webhook": uuid
        default: preconditionFailure("A path names {\(name)}, and nobody says what it is.")
        }
    }
}

/// `/openapi.json`: what there is, for programs.
struct DocumentationController {
    private let bytes: [UInt8]

    init(_ table: RouteTable) {
        bytes = OpenAPIDocument(table).json.canonicalBytes()
    }

    var handler: EndpointHandler<PlimsollContext> { .raw(Endpoints.getDescription, show) }

    private func show(_ request: Request, _ context: PlimsollContext) async throws -> Reply {
        try QueryReader(request).finish()
        return Reply(bytes: bytes, mediaType: .json)
    }
}

import HTTPTypes
import PlimsollAPI
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// Headers and parameters that are wrong are refused by name at every route that writes, and
/// change nothing.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct HostileHeaderRouteTests {
    @Test(arguments: WriteSample.routes)
    func `what is no JSON by its own account is not read`(_ route: String) async throws {
        try await refusal(of: route, .unsupportedMediaType, naming: .contentType) { headers in
            let types = [
                [], [""], ["json"], ["text/plain"], ["application/jsonp"],
                ["application/x-www-form-urlencoded"], ["application/json; charset=utf-16"],
                ["application/json; q=1"], ["application/json", "text/plain"],
                ["application/json", "application/json"],
            ]
            return types.map { headers.with($0, named: .contentType) }
        }
    }

    @Test(arguments: WriteSample.routes)
    func `a key that is none is refused`(_ route: String) async throws {
        try await refusal(of: route, .badRequest, naming: .idempotencyKey) { headers in
            let keys = [
                [""], [" "], ["a b"], ["schlüssel"], [String(repeating: "k", count: 256)],
                ["a", "b"], ["a", "a"],
            ]
            return keys.map { headers.with($0, named: .idempotencyKey) }
        }
    }

    @Test(arguments: WriteSample.decisions)
    func `a decision without one strong tag is refused`(_ route: String) async throws {
        let digest = "\"\(String(repeating: "0", count: 64))\""
        try await ServiceFixture.with { service in
            let sample = try await WriteSample(route, on: service)
            let (end, tag) = (try await service.logEnd(), sample.headers[.ifMatch] ?? "")
            let fields: [([String], HTTPResponse.Status)] = [
                (["*"], .badRequest), ([""], .badRequest), (["x"], .badRequest),
                (["\""], .badRequest), (["W/\(tag)"], .badRequest), ([tag, tag], .badRequest),
                (["\(tag), \(tag)"], .badRequest), ([String(tag.dropLast())], .badRequest),
                ([], .preconditionRequired), ([digest], .preconditionFailed),
                (["\"\""], .preconditionFailed), (["\"é\""], .preconditionFailed),
            ]
            for (values, status) in fields {
                let headers = sample.headers.with(values, named: .ifMatch)
                let answer = try await service.send(sample, headers: headers)
                #expect(answer.status == status, "\(values)")
                #expect(answer.faultyHeaders == ["If-Match"], "\(values)")
            }
            #expect(try await service.logEnd() == end)
        }
    }

    @Test(arguments: WriteSample.routes)
    func `a parameter that nobody asked for is refused`(_ route: String) async throws {
        try await ServiceFixture.with { service in
            let sample = try await WriteSample(route, on: service)
            let end = try await service.logEnd()
            for (query, name) in [
                ("dryrun=true", "dryrun"), ("dryRun=1", "dryRun"), ("dryRun", "dryRun"),
                ("dryRun=true&dryRun=true", "dryRun"), ("force=true", "force"), ("%ff", "%ff"),
            ] {
                let answer = try await service.send(sample, query: "?\(query)")
                #expect(answer.status == .badRequest, "\(query)")
                #expect(answer.faultyParameters == [name], "\(query)")
            }
            #expect(try await service.logEnd() == end)
        }
    }

    @Test(arguments: WriteSample.routes)
    func `a key stands for one request, which is done once`(_ route: String) async throws {
        try await ServiceFixture.with { service in
            let sample = try await WriteSample(route, on: service)
            let headers = sample.headers.with(["ticket-17"], named: .idempotencyKey)
            let first = try await service.send(sample, headers: headers)
            #expect((200...204).contains(first.status.code))
            let end = try await service.logEnd()
            let again = try await service.send(sample, headers: headers)
            #expect(again.status == first.status)
            var other = sample.body.canonicalBytes() + [UInt8(ascii: " ")]
            // Of a body with a name only what its members say is compared.
            if route == "issueToken", var token = sample.body.object {
                token["roles"] = [["role": "auditor", "app": "harbour"]]
                other = token.canonicalBytes()
            }
            let reused = try await service.send(sample, bytes: other, headers: headers)
            // What such a request says is kept nowhere, so it cannot be told from another.
            let isForgotten = ["forgetAccount", "endSession"].contains(route)
            #expect(reused.status == (isForgotten ? first.status : .unprocessableContent))
            #expect(reused.faultyHeaders == (isForgotten ? [] : ["Idempotency-Key"]))
            #expect(try await service.logEnd() == end)
        }
    }

    /// Sends a good body under bad headers.
    private func refusal(
        of route: String,
        _ status: HTTPResponse.Status,
        naming header: HTTPField.Name,
        _ bad: @escaping @Sendable (HTTPFields) -> [HTTPFields]
    ) async throws {
        try await ServiceFixture.with { service in
            let sample = try await WriteSample(route, on: service)
            let end = try await service.logEnd()
            for headers in bad(sample.headers) {
                let answer = try await service.send(sample, headers: headers)
                #expect(answer.status == status, "\(headers)")
                #expect(answer.headers[.contentType] == Problem.mediaType, "\(headers)")
                #expect(answer.faultyHeaders == [header.rawName], "\(headers)")
            }
            #expect(try await service.logEnd() == end)
        }
    }
}

extension HTTPFields {
    /// These, with other values under one name.
    fileprivate func with(_ values: [String], named name: HTTPField.Name) -> HTTPFields {
        var fields = self
        fields[values: name] = values
        return fields
    }
}

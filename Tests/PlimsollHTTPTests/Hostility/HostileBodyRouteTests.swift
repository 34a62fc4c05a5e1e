import HTTPTypes
import PlimsollAPI
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// A bad body gets a clear problem that names the place, and changes nothing: at every route that
/// writes, and for every place of its body.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct HostileBodyRouteTests {
    private let document = JSONValue.object(OpenAPIDocument(.service).json)

    /// Goal: nothing that a schema does not allow is ever taken, nor blamed on something else.
    ///
    /// Method: from a body that is granted, twins are made that differ at one place, and sent.
    @Test(arguments: WriteSample.routes)
    func `a body that is wrong at one place is refused there`(_ route: String) async throws {
        try await ServiceFixture.with { service in
            let sample = try await WriteSample(route, on: service)
            let tried = try await service.send(sample, query: "?dryRun=true")
            try #require((200...204).contains(tried.status.code), "\(tried)")
            let end = try await service.logEnd()
            for twin in twins(sample).all {
                let answer = try await service.send(sample, bytes: twin.bytes)
                let name = "\(twin.name) at “\(twin.place.pointer)”: \(answer)"
                #expect(answer.status == twin.status, "\(name)")
                #expect(answer.headers[.contentType] == Problem.mediaType, "\(name)")
                #expect(twin.isNamed(by: answer.pointers), "\(name)")
                try #require(await service.logEnd() == end, "\(name)")
            }
        }
    }

    /// Goal: what the description says of how many elements a list needs is what the service asks.
    ///
    /// Method: every list that a body has or may have is sent empty.
    @Test(arguments: WriteSample.routes)
    func `an empty list is refused just where the description asks for more`(
        _ route: String
    ) async throws {
        try await ServiceFixture.with { service in
            let sample = try await WriteSample(route, on: service)
            // What is to be kept goes with another kind of rollback than the sample's.
            for (place, schema) in twins(sample).lists where place.pointer != "/keep" {
                let answer = try await service.send(
                    sample,
                    query: "?dryRun=true",
                    bytes: sample.body.bytes(setting: place, to: [])
                )
                let isRefused = answer.pointers.contains { place.holds($0) }
                let minimum = schema["minItems"]?.integer ?? 0
                #expect(isRefused == (minimum > 0), "\(place.pointer): \(answer)")
            }
        }
    }

    @Test(arguments: WriteSample.routes)
    func `a mebibyte is too large, whether it says so or not`(_ route: String) async throws {
        try await ServiceFixture.with { service in
            let sample = try await WriteSample(route, on: service)
            let end = try await service.logEnd()
            let blanks = Array(repeating: UInt8(ascii: " "), count: 1_048_576)
            var headers = sample.headers
            headers[.contentLength] = "\(blanks.count)"
            for headers in [sample.headers, headers] {
                let answer = try await service.send(
                    sample,
                    bytes: sample.body.canonicalBytes() + blanks,
                    headers: headers
                )
                #expect(answer.status == .contentTooLarge)
                #expect(answer.faultyHeaders == ["Content-Length"])
            }
            #expect(try await service.logEnd() == end)
        }
    }

    @Test(arguments: WriteSample.routes)
    func `texts are taken in whatever form, and kept in one`(_ route: String) async throws {
        try await ServiceFixture.with { service in
            let sample = try await WriteSample(route, on: service)
            for place in freeTexts(of: sample) {
                let answer = try await service.send(
                    sample,
                    query: "?dryRun=true",
                    bytes: sample.body.bytes(at: place, Array("\"Cafe\u{301}\"".utf8))
                )
                #expect((200...201).contains(answer.status.code), "\(place.pointer)")
                let scalars = String(decoding: answer.bytes, as: UTF8.self).unicodeScalars
                #expect(!scalars.contains("\u{301}"), "\(place.pointer)")
            }
        }
    }

    private func twins(_ sample: WriteSample) -> BodyTwins {
        BodyTwins(
            good: sample.body,
            schema: .object((sample.route.body ?? EmptyForm.shape.reference).json),
            validator: SchemaValidator(document)
        )
    }

    /// The places where people write what they like.
    private func freeTexts(of sample: WriteSample) -> [Place] {
        let names: [Place.Step] = ["title", "reason", "name", "text", "comment"].map { .member($0) }
        return sample.body.places.filter { place in
            sample.body[place]?.string != nil
                && place.steps.last.map { names.contains($0) } ?? false
        }
    }
}

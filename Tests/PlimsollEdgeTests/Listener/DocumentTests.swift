import Testing

@testable import PlimsollEdge

/// What phones and caches are told about a document.
@Suite(.timeLimit(.minutes(5))) struct DocumentTests {
    @Test func `a document is served with everything phones and caches need`() async throws {
        let answer = try await EdgeFixture.answer(to: EdgeFixture.request)
        #expect(answer.statusLine == "HTTP/1.1 200 OK")
        #expect(answer.body == EdgeFixture.body)
        #expect(answer["Content-Type"] == "application/json")
        #expect(answer["Content-Length"] == String(EdgeFixture.body.count))
        #expect(answer["Vary"] == "Accept-Encoding")
        let lifetime = "public, max-age=60, stale-while-revalidate=30, stale-if-error=86400"
        #expect(answer["Cache-Control"] == lifetime)
        #expect(answer["X-Content-Type-Options"] == "nosniff")
        #expect(answer["x-amz-meta-signature"] == EdgeFixture.signature.value)
        #expect(answer["x-amz-meta-signature-date"] == EdgeFixture.signature.date)
        #expect(answer["Date"]?.hasSuffix(" GMT") == true)
        #expect(answer["ETag"]?.first == "\"")
        for absent in ["Last-Modified", "Accept-Ranges", "Content-Encoding", "Connection"] {
            #expect(!answer.has(absent))
        }
    }

    @Test func `HEAD has the head of GET and no body`() async throws {
        try await EdgeFixture.with { _, address in
            try await RawConnection.with(address) { connection in
                try await connection.send(EdgeFixture.request)
                let whole = try #require(try await connection.answer())
                let head = EdgeFixture.request.replacing("GET", with: "HEAD")
                try await connection.send(head + EdgeFixture.request)
                let alone = try #require(try await connection.answer(headOnly: true))
                #expect(alone.status == 200)
                for (name, value) in whole.fields where name != "Date" {
                    #expect(alone[name] == value)
                }
                #expect(try await connection.answer()?.body == EdgeFixture.body)
            }
        }
    }

    @Test(arguments: [
        "gzip", "gzip, deflate, br", "br, gzip;q=0.5", "*", "GZIP", "x-gzip", "gzip ; q=1.000",
        "identity;q=0.5, gzip", "deflate,,gzip", "*;q=0, gzip",
    ])
    func `who takes gzip gets gzip`(accepted: String) async throws {
        let answer = try await EdgeFixture.answer(
            to: EdgeFixture.get(fields: ["Accept-Encoding: \(accepted)"])
        )
        #expect(answer["Content-Encoding"] == "gzip")
        #expect(answer["ETag"]?.hasSuffix("-gzip\"") == true)
        #expect(answer["Content-Length"] == String(answer.body.count))
        #expect(try await Unzipping.unzip(answer.body) == EdgeFixture.body)
    }

    @Test(arguments: [
        "", "identity", "gzip;q=0", "gzip;q=0.000, *", "*;q=0", "br", "gzip;q=2", "gzip;q=x",
        "gzip;q=0.2, identity;q=0.9", "gzip;level=9", "gz ip", ";;;,,,",
    ])
    func `who does not take gzip gets the plain body`(accepted: String) async throws {
        let answer = try await EdgeFixture.answer(
            to: EdgeFixture.get(fields: ["Accept-Encoding: \(accepted)"])
        )
        #expect(!answer.has("Content-Encoding"))
        #expect(answer.body == EdgeFixture.body)
    }

    @Test func `several fields of accepted encodings count together`() async throws {
        let answer = try await EdgeFixture.answer(
            to: EdgeFixture.get(fields: ["Accept-Encoding: br", "accept-encoding: gzip"])
        )
        #expect(answer["Content-Encoding"] == "gzip")
    }

    @Test func `a body that gzip would lengthen travels plain`() async throws {
        let table = try EdgeFixture.table([EdgeFixture.resource(Array("{}".utf8))])
        let answer = try await EdgeFixture.answer(
            to: EdgeFixture.get(fields: ["Accept-Encoding: gzip"]),
            table: table
        )
        #expect(!answer.has("Content-Encoding"))
        #expect(answer["ETag"]?.contains("gzip") == false)
        #expect(answer.text == "{}")
    }

    @Test func `an unsigned resource has neither signature field`() async throws {
        let table = try EdgeFixture.table([EdgeFixture.resource(signature: nil)])
        let answer = try await EdgeFixture.answer(to: EdgeFixture.request, table: table)
        #expect(answer.status == 200)
        #expect(!answer.has("x-amz-meta-signature"))
        #expect(!answer.has("x-amz-meta-signature-date"))
    }
}

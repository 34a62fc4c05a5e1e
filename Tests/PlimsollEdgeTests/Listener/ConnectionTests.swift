import Testing

@testable import PlimsollEdge

/// How long a connection lives, and what shares it.
@Suite(.onBothListeners, .timeLimit(.minutes(5))) struct ConnectionTests {
    @Test func `a connection answers one request after the other`() async throws {
        try await EdgeFixture.with { _, address in
            try await RawConnection.with(address) { connection in
                for _ in 0..<20 {
                    try await connection.send(EdgeFixture.request)
                    #expect(try await connection.answer()?.status == 200)
                    try await connection.send(EdgeFixture.get("/nowhere"))
                    #expect(try await connection.answer()?.status == 404)
                }
            }
        }
    }

    @Test func `a thousand requests at once get a thousand answers in order`() async throws {
        let resources = try ["a", "b"].map { name in
            try EdgeFixture.resource(
                EdgeFixture.body + Array(name.utf8),
                paths: ["/\(name)"]
            )
        }
        let pipeline = (0..<1000).map { EdgeFixture.get($0.isMultiple(of: 2) ? "/a" : "/b") }
        try await EdgeFixture.with(table: try EdgeFixture.table(resources)) { _, address in
            try await RawConnection.with(address) { connection in
                // Sent before anything is read: the server has to wait for us in between.
                try await connection.send(pipeline.joined())
                for number in 0..<1000 {
                    let answer = try #require(try await connection.answer())
                    #expect(answer.status == 200)
                    #expect(answer.text.last == (number.isMultiple(of: 2) ? "a" : "b"))
                }
            }
        }
    }

    @Test func `a request may come byte by byte`() async throws {
        try await EdgeFixture.with { _, address in
            try await RawConnection.with(address) { connection in
                for byte in EdgeFixture.request.utf8 { try await connection.send(bytes: [byte]) }
                #expect(try await connection.answer()?.body == EdgeFixture.body)
            }
        }
    }

    @Test func `an empty line before a request is a leftover of the last one`() async throws {
        try await EdgeFixture.with { _, address in
            try await RawConnection.with(address) { connection in
                try await connection.send(EdgeFixture.request + "\r\n" + EdgeFixture.request)
                #expect(try await connection.answer()?.status == 200)
                #expect(try await connection.answer()?.status == 200)
            }
        }
    }

    @Test(arguments: [
        "Connection: close", "connection: Close", "Connection: keep-alive, close",
        "Connection: keep-alive\r\nConnection: TE, close",
        // Bodies are not read, so nothing can follow them.
        "Content-Length: 5", "Transfer-Encoding: chunked", "Transfer-Encoding: CHUNKED",
        "Expect: 100-continue\r\nContent-Length: 5",
    ])
    func `the last answer says that it is the last`(field: String) async throws {
        let request = EdgeFixture.get(fields: [field]) + "hello" + EdgeFixture.request
        try await EdgeFixture.with { _, address in
            try await RawConnection.with(address) { connection in
                try await connection.send(request)
                let answer = try #require(try await connection.answer())
                #expect(answer.status == 200)
                #expect(answer["Connection"] == "close")
                #expect(answer.body == EdgeFixture.body)
                #expect(try await connection.rest() == "")
            }
        }
    }

    @Test(arguments: ["Connection: keep-alive", "Connection: closed", "Content-Length: 0", "TE: x"])
    func `other fields leave the connection open`(field: String) async throws {
        try await EdgeFixture.with { _, address in
            try await RawConnection.with(address) { connection in
                try await connection.send(EdgeFixture.get(fields: [field]) + EdgeFixture.request)
                #expect(try await connection.answer()?["Connection"] == nil)
                #expect(try await connection.answer()?.status == 200)
            }
        }
    }

    @Test(arguments: ["", "Host: a\r\n", "Host: a\r\nConnection: keep-alive\r\n", "Expect: x\r\n"])
    func `an old client gets one answer`(fields: String) async throws {
        try await EdgeFixture.with { _, address in
            try await RawConnection.with(address) { connection in
                try await connection.send("GET \(EdgeFixture.path) HTTP/1.0\r\n\(fields)\r\n")
                let answer = try #require(try await connection.answer())
                #expect(answer.status == 200)
                #expect(answer["Connection"] == "close")
                #expect(try await connection.rest() == "")
            }
        }
    }

    @Test(arguments: ["Host: a\r\nHost: a\r\n", "Transfer-Encoding: chunked\r\n"])
    func `an old client's ambiguous request is refused`(fields: String) async throws {
        let request = "GET \(EdgeFixture.path) HTTP/1.0\r\n\(fields)\r\n"
        #expect(try await EdgeFixture.answer(to: request).status == 400)
    }

    @Test func `the end of HEAD's last answer has no body`() async throws {
        let request = EdgeFixture.get(fields: ["Connection: close"])
            .replacing("GET", with: "HEAD")
        try await EdgeFixture.with { _, address in
            try await RawConnection.with(address) { connection in
                try await connection.send(request)
                let answer = try await connection.answer(headOnly: true)
                #expect(answer?["Content-Length"] == String(EdgeFixture.body.count))
                #expect(try await connection.rest() == "")
            }
        }
    }

    // What the server reads at once is 4096 bytes: the end of a request, and of all, may lie there.
    @Test(arguments: [1, 2, 3], [false, true])
    func `requests may be as long as what is read at once`(
        count: Int,
        isEnding: Bool
    ) async throws {
        let frame = EdgeFixture.get(fields: ["X: "]).utf8.count
        let request = EdgeFixture.get(
            fields: ["X: " + String(repeating: "y", count: 4096 - frame)]
        )
        #expect(request.utf8.count == 4096)
        try await EdgeFixture.with { _, address in
            try await RawConnection.with(address) { connection in
                try await connection.send(String(repeating: request, count: count))
                if isEnding { try await connection.finishSending() }
                for _ in 0..<count { #expect(try await connection.answer()?.status == 200) }
                guard isEnding else { return }
                #expect(try await connection.rest() == "")
            }
        }
    }

    @Test(arguments: [1, 1000])
    func `who has said everything still gets every answer`(count: Int) async throws {
        try await EdgeFixture.with { _, address in
            try await RawConnection.with(address) { connection in
                let pipeline = String(repeating: EdgeFixture.request, count: count)
                try await connection.send(pipeline)
                try await connection.finishSending()
                for _ in 0..<count {
                    #expect(try await connection.answer()?.body == EdgeFixture.body)
                }
                #expect(try await connection.rest() == "")
            }
        }
    }

    @Test(arguments: ["", "GET / HT"])
    func `who ends within a request gets no answer`(part: String) async throws {
        try await EdgeFixture.with { _, address in
            try await RawConnection.with(address) { connection in
                if !part.isEmpty { try await connection.send(part) }
                try await connection.finishSending()
                #expect(try await connection.rest() == "")
            }
        }
    }

    @Test func `a new table is served to the next request`() async throws {
        try await EdgeFixture.with(threads: 2) { service, address in
            try await RawConnection.with(address) { connection in
                for number in 0..<50 {
                    let body = Array("number \(number)".utf8)
                    service.update(try EdgeFixture.table([EdgeFixture.resource(body)]))
                    try await connection.send(EdgeFixture.request)
                    #expect(try await connection.answer()?.body == body)
                }
            }
        }
    }

    @Test func `a batch is answered from one table while it is being replaced`() async throws {
        let tables = try (0..<2).map { version in
            try EdgeFixture.table(
                ["/ios", "/android"].map { path in
                    try EdgeFixture.resource(
                        Array("\(version)".utf8),
                        paths: [path],
                        signature: .init(value: "signature \(version)", date: "date \(version)")
                    )
                }
            )
        }
        try await EdgeFixture.with(table: tables[0], threads: 2) { service, address in
            try await RawConnection.with(address) { connection in
                for round in 0..<300 {
                    async let change: Void = service.update(tables[round % 2])
                    try await connection.send(EdgeFixture.get("/ios") + EdgeFixture.get("/android"))
                    let ios = try #require(try await connection.answer())
                    let android = try #require(try await connection.answer())
                    await change
                    #expect(ios.text == android.text)
                    for answer in [ios, android] {
                        #expect(answer["x-amz-meta-signature"] == "signature \(answer.text)")
                        #expect(answer["x-amz-meta-signature-date"] == "date \(answer.text)")
                    }
                }
            }
        }
    }
}

import Foundation
import Glibc
import PlimsollAPI
import Subprocess
import Testing

extension ServiceTests {
    /// The edge with a certificate, asked by programs that know nothing of this package.
    @Suite struct EncryptedEdgeTests {
        // Goal: what curl gets over HTTP/2 and over HTTP/1.1 is the same, and openssl agrees on the
        // protocol; a certificate that was replaced is shown after a signal, a broken one never.
        @Test func `phones are served over TLS, and certificates come and go`() async throws {
            try await ServerFixture.with { fixture in
                let export = try await fixture.makeExport()
                let tls = try await Certificate.issue(in: fixture.folder, named: "first")
                try await fixture.standaloneEdge(over: export, tls.options) { edge in
                    try await eventually("a document at the edge") {
                        try await curl(edge, tls, "--http2").status == 200 ? () : nil
                    }
                    let newer = try await curl(edge, tls, "--http2")
                    let older = try await curl(edge, tls, "--http1.1")
                    #expect(newer.version == "HTTP/2" && older.version == "HTTP/1.1")
                    #expect(newer.fields == older.fields)
                    #expect(newer.body == older.body)
                    #expect(newer.fields.contains { $0.hasPrefix("x-amz-meta-signature:") })
                    let tag = try #require(newer.fields.first { $0.hasPrefix("etag: ") }).dropFirst(
                        6
                    )
                    let known = try await curl(edge, tls, "--http2", "-H", "If-None-Match: \(tag)")
                    #expect(known.status == 304 && known.body.isEmpty)
                    let body = ["-X", "GET", "--data", "x"]
                    let asking = try await Curl.get(edge.address, tls, ["--http2"] + body)
                    #expect(asking.exit == 0 && asking.body == newer.body)
                    try await expectProtocol(edge, "h2")
                    try await replace(edge, tls, fixture)
                }
            }
        }

        private func replace(
            _ edge: EdgeProcess,
            _ tls: Certificate,
            _ fixture: ServerFixture
        ) async throws {
            let next = try await Certificate.issue(in: fixture.folder, named: "next")
            #expect(try await curl(edge, next).exit != 0)
            try tls.become(next)
            edge.signal(SIGHUP)
            try await eventually("the new certificate") {
                try await curl(edge, next).status == 200 ? () : nil
            }
            try Data("no certificate".utf8).write(to: tls.certificate)
            edge.signal(SIGHUP)
            try await eventually("what the operator reads") {
                try edge.words().contains("certificate not replaced") ? () : nil
            }
            #expect(try await curl(edge, next).status == 200)
        }

        private func expectProtocol(_ edge: EdgeProcess, _ name: String) async throws {
            let outcome = try await Program.run(
                "openssl",
                ["s_client", "-connect", edge.address, "-alpn", "h2,http/1.1"]
            )
            #expect(outcome.output.contains("ALPN protocol: \(name)"))
        }

        @Test func `a service serves phones over TLS`() async throws {
            try await ServerFixture.with { fixture in
                let tls = try await Certificate.issue(in: fixture.folder, named: "first")
                let environment = [
                    "PLIMSOLL_PUBLIC_TLS_CERTIFICATE": tls.certificate.path,
                    "PLIMSOLL_PUBLIC_TLS_KEY": tls.key.path,
                ]
                try await fixture.run(environment: environment) { server in
                    let told = try fixture.announcementText()
                    #expect(told.contains("phones   https://127.0.0.1:"))
                    let address = try server.edge()
                    let answer = try await Curl.get(address, tls, ["--http2"])
                    #expect(answer.status == 200)
                    // The certificate's end is counted a moment after phones are served with it.
                    try await eventually("when the certificate ends") {
                        let metrics = try await server.send(.get, "/metrics", as: nil)
                        let text = String(decoding: metrics.answer.body, as: UTF8.self)
                        return text.contains("plimsoll_certificate_remaining_seconds 2") ? () : nil
                    }
                }
            }
        }

        // Goal: an edge has its snapshots from another over TLS, if whom it was told to believe
        // vouches for that one, and from nobody else; whom to believe may change meanwhile. Method:
        // two authorities, two real processes.
        @Test func `an edge believes an origin whom its authority vouches for`() async throws {
            try await ServerFixture.with { fixture in
                let export = try await fixture.makeExport()
                let own = try await Certificate.issue(in: fixture.folder, named: "own")
                let other = try await Certificate.issue(in: fixture.folder, named: "other")
                let keys = export.appending(path: "keys.json").path
                let named = fixture.folder.appending(path: "ca.pem")
                try FileManager.default.copyItem(at: other.certificate, to: named)
                try await fixture.standaloneEdge(over: export, own.options) { origin in
                    let port = try origin.port
                    func arguments(_ authority: URL?) -> [String] {
                        ["edge", "--from", "https://localhost:\(port)", "--keys", keys]
                            + ["--listen", "127.0.0.1:0"]
                            + (authority.map { ["--from-ca", $0.path] } ?? [])
                    }
                    for authority in [named, nil] {
                        try await follow(fixture, arguments(authority)) { address, log in
                            try await eventually("what is wrong with the origin") {
                                let text = try String(contentsOf: log, encoding: .utf8)
                                return text.contains("vouches for the certificate") ? () : nil
                            }
                            #expect(try await status(fixture, address) == 503)
                            guard authority != nil else { return }
                            try Data(contentsOf: own.certificate).write(to: named)
                            try await eventually("a document at the second edge") {
                                try await status(fixture, address) == 200 ? () : nil
                            }
                        }
                    }
                }
            }
        }

        private func follow(
            _ fixture: ServerFixture,
            _ arguments: [String],
            _ body: (_ address: String, _ log: URL) async throws -> Void
        ) async throws {
            let log = fixture.folder.appending(path: "follower.log")
            let end = try await Program.whileRunning(arguments, log: log) { program in
                try await body(try await program.address(after: "address.bound="), log)
            }
            #expect(end == .exited(0))
        }

        private func status(_ fixture: ServerFixture, _ address: String) async throws -> Int {
            let url = "http://\(address)/distribution/availability-ios"
            return try await fixture.transport.send(WebRequest(.get, url)).status
        }

        @Test(arguments: ["/nowhere/ca.pem", "/etc/hostname"])
        func `an authority that is none is refused`(file: String) async throws {
            let outcome = try await Program.run(
                try Program.plimsoll(),
                [
                    "edge", "--from", "https://localhost:1", "--keys", "/nowhere/keys.json",
                    "--from-ca", file,
                ]
            )
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains(file == "/etc/hostname" ? "--from-ca" : file))
        }

        @Test func `a key that others can read is refused with what to do`() async throws {
            try await ServerFixture.with { fixture in
                let tls = try await Certificate.issue(in: fixture.folder, named: "first")
                let open: [FileAttributeKey: Any] = [.posixPermissions: 0o644]
                try FileManager.default.setAttributes(open, ofItemAtPath: tls.key.path)
                let outcome = try await Program.run(
                    try Program.plimsoll(),
                    ["edge", "--from", "/nowhere", "--keys", "/nowhere/keys.json"] + tls.options
                )
                #expect(outcome.status == 1)
                #expect(outcome.errors.contains("chmod 600 \(tls.key.path)"), "\(outcome.errors)")
            }
        }

        private func curl(
            _ edge: EdgeProcess,
            _ tls: Certificate,
            _ options: String...
        ) async throws -> Curl {
            try await Curl.get(edge.address, tls, options)
        }
    }
}

/// A certificate for `localhost` that nobody else has signed.
struct Certificate {
    let certificate: URL
    let key: URL

    var options: [String] { ["--tls-certificate", certificate.path, "--tls-key", key.path] }

    static func issue(in folder: URL, named name: String) async throws -> Certificate {
        let certificate = folder.appending(path: "\(name).pem")
        let key = folder.appending(path: "\(name).key")
        let outcome = try await Program.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-keyout", key.path, "-out", certificate.path, "-days", "30",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            ]
        )
        try #require(outcome.status == 0, "\(outcome.errors)")
        return Certificate(certificate: certificate, key: key)
    }

    /// Puts another's files in the place of these.
    func become(_ other: Certificate) throws {
        try Data(contentsOf: other.key).write(to: key)
        try Data(contentsOf: other.certificate).write(to: certificate)
    }
}

/// What curl got.
private struct Curl {
    let exit: Int32?
    let version: String
    let status: Int?
    /// But the date; names in small letters, as HTTP/2 has them.
    let fields: [String]
    let body: String

    static func get(
        _ address: String,
        _ certificate: Certificate,
        _ options: [String]
    ) async throws -> Curl {
        let port = address.split(separator: ":").last ?? ""
        let outcome = try await Program.run(
            "curl",
            [
                "--silent", "--include", "--cacert", certificate.certificate.path,
                "--resolve", "localhost:\(port):127.0.0.1",
            ] + options + ["https://localhost:\(port)/distribution/availability-ios"]
        )
        return Curl(outcome)
    }

    private init(_ outcome: Outcome) {
        exit = outcome.status
        let end = outcome.output.range(of: "\r\n\r\n")
        let head = outcome.output[..<(end?.lowerBound ?? outcome.output.endIndex)]
        let lines = head.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        version = words.first.map(String.init) ?? ""
        status = words.dropFirst().first.flatMap { Int($0) }
        fields = lines.dropFirst()
            .map { line in
                let colon = line.firstIndex(of: ":") ?? line.endIndex
                return line[..<colon].lowercased() + line[colon...]
            }
            .filter { !$0.hasPrefix("date:") }
        body = end.map { String(outcome.output[$0.upperBound...]) } ?? ""
    }
}

import Foundation
import NIOSSL
import PlimsollDomain
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollEdge

/// Certificates that come, go, and are no good.
@Suite(.timeLimit(.minutes(5))) struct CertificateTests {
    private let now = Instant.current

    @Test func `how long a certificate is valid is read from its file alone`() async throws {
        try await TLSFixture.with { fixture in
            let first = try CertificateFile(fixture.certificate.string).validity()
            #expect(first.begin <= .current)
            #expect(first.begin > now.advanced(by: .seconds(-3600)))
            #expect(first.end >= first.begin.advanced(by: .seconds(30 * 86_400)))
            #expect(first.end == (try TLSSource(fixture.files).end))
            try await fixture.issue(days: 90)
            let next = try CertificateFile(fixture.certificate.string).validity()
            #expect(next.begin >= first.begin)
            #expect(next.end >= first.end.advanced(by: .seconds(60 * 86_400)))
            #expect(throws: TLSRefusal.noCertificate(fixture.key)) {
                try CertificateFile(fixture.key.string).validity()
            }
        }
    }

    @Test func `a new certificate is shown to new connections and cuts nobody off`()
        async throws
    {
        try await TLSFixture.with { fixture in
            let (source, lines) = (try TLSSource(fixture.files), LogLines())
            let reloader = CertificateReloader(source, logger: lines.logger)
            let before = try fixture.client()
            try await EdgeFixture.with(tls: source) { _, address in
                try await RawConnection.with(address, tls: before) { old in
                    try await old.send(EdgeFixture.request)
                    #expect(try await old.answer()?.status == 200)
                    try await fixture.issue(days: 90)
                    let after = try fixture.client()
                    await #expect(throws: (any Error).self) { try await ask(address, after) }
                    reloader.look()
                    try await ask(address, after)
                    await #expect(throws: (any Error).self) { try await ask(address, before) }
                    try await old.send(EdgeFixture.request)
                    #expect(try await old.answer()?.status == 200)
                }
            }
            #expect(lines.all.count == 1)
            #expect(lines.all[0].hasPrefix("certificate replaced certificate.end="))
        }
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `a phone that comes back is known by its ticket until the certificate changes`(
        version: String
    ) async throws {
        try await TLSFixture.with { fixture in
            let source = try TLSSource(fixture.files)
            let reloader = CertificateReloader(source, logger: LogLines().logger)
            let ticket = (fixture.folder / "ticket").string
            try await EdgeFixture.with(tls: source) { _, address in
                let first = try await come(to: address, version, "-sess_out", ticket)
                #expect(first.hasPrefix("New"))
                let second = try await come(to: address, version, "-sess_in", ticket)
                #expect(second.hasPrefix("Reused"))
                try await fixture.issue(days: 90)
                reloader.look()
                let third = try await come(to: address, version, "-sess_in", ticket)
                #expect(third.hasPrefix("New"))
            }
        }
    }

    /// Asks over a connection of its own; answers what `openssl` says of the handshake.
    private func come(
        to address: EdgeAddress,
        _ options: String...
    ) async throws -> String {
        let request = EdgeFixture.request.replacing(
            "\r\n\r\n",
            with: "\r\nConnection: close\r\n\r\n"
        )
        let arguments = ["s_client", "-connect", "\(address.host):\(address.port)", "-ign_eof"]
        let output = try await run("openssl", arguments + options, input: request).output
        try #require(output.contains("HTTP/1.1 200"), "\(output)")
        let line = output.split(separator: "\n").first { $0.contains(", Cipher is ") }
        return String(try #require(line))
    }

    private func ask(_ address: EdgeAddress, _ client: NIOSSLContext) async throws {
        try await RawConnection.with(address, tls: client) { connection in
            try await connection.send(EdgeFixture.request)
            _ = try #require(try await connection.answer())
        }
    }

    @Test func `a watcher takes a new certificate over by itself`() async throws {
        try await TLSFixture.with { fixture in
            let source = try TLSSource(fixture.files)
            let first = source.end
            let watcher = CertificateWatcher(
                source,
                interval: .milliseconds(1),
                logger: LogLines().logger
            )
            try await withThrowingTaskGroup { tasks in
                tasks.addTask(name: "watcher") { try await watcher.run() }
                defer { tasks.cancelAll() }
                try await fixture.issue(days: 90)
                while source.end == first { try await Task.sleep(for: .milliseconds(1)) }
            }
            #expect(source.end > first)
        }
    }

    /// Something that goes wrong with the files, and what the operator reads of it.
    enum Mishap: CaseIterable {
        case emptyCertificate, brokenCertificate, noCertificate, brokenKey, noKey, foreignKey
        case openKey, keyIsFolder

        func befall(_ fixture: TLSFixture) async throws {
            switch self {
            case .emptyCertificate: try write([], to: fixture.certificate)
            case .brokenCertificate:
                try write(
                    fixture.certificate.read(sizeMaximum: 1 << 20).dropLast(60),
                    to: fixture.certificate
                )
            case .noCertificate: try fixture.certificate.removeTree()
            case .brokenKey: try write(Array("no key\n".utf8), to: fixture.key)
            case .noKey: try fixture.key.removeTree()
            case .foreignKey:
                let certificate = try fixture.certificate.read(sizeMaximum: 1 << 20)
                try await fixture.issue()
                try write(certificate, to: fixture.certificate)
            case .openKey: try fixture.key.setPermissions(.readableByAll)
            case .keyIsFolder:
                try fixture.key.removeTree()
                try fixture.key.createFolder()
            }
        }

        private func write(_ bytes: some Sequence<UInt8>, to path: Path) throws {
            try path.writeDurably(Array(bytes), permissions: .ownerOnly)
        }

        var word: String {
            switch self {
            case .emptyCertificate, .brokenCertificate: "holds no certificate"
            case .noCertificate: "certificate.pem"
            case .brokenKey: "holds no private key"
            case .noKey: "key.pem"
            case .foreignKey: "is not that of the certificate"
            case .openKey: "chmod 600"
            case .keyIsFolder: "not a plain file"
            }
        }
    }

    @Test(arguments: Mishap.allCases)
    func `what is no good is told once and the old certificate stays`(
        mishap: Mishap
    ) async throws {
        try await TLSFixture.with { fixture in
            let (source, lines) = (try TLSSource(fixture.files), LogLines())
            let reloader = CertificateReloader(source, logger: lines.logger)
            let (client, end) = (try fixture.client(), source.end)
            try await mishap.befall(fixture)
            reloader.look()
            // Half of a replacement is no mishap yet.
            #expect(lines.all == [])
            for _ in 0..<5 { reloader.look() }
            #expect(lines.all.count == 1)
            #expect(lines.all.first?.hasPrefix("certificate not replaced") == true)
            #expect(lines.all.first?.contains(mishap.word) == true, "\(lines.all)")
            #expect(source.end == end)
            try await EdgeFixture.with(tls: source) { _, address in try await ask(address, client) }
            try? fixture.key.removeTree()
            try await fixture.issue(days: 90)
            reloader.look()
            #expect(source.end > end)
            #expect(lines.all.count == 2)
        }
    }

    @Test(arguments: Mishap.allCases)
    func `a listener does not begin with what is no good`(mishap: Mishap) async throws {
        try await TLSFixture.with { fixture in
            try await mishap.befall(fixture)
            let error = #expect(throws: (any Error).self) { try TLSSource(fixture.files) }
            #expect(
                error.map { "\($0)".contains(mishap.word) } == true,
                "\(String(describing: error))"
            )
        }
    }

    @Test func `a certificate that has ended replaces none that holds`() async throws {
        try await TLSFixture.with { fixture in
            try await fixture.issue(days: 90)
            let (source, lines) = (try TLSSource(fixture.files), LogLines())
            let reloader = CertificateReloader(source, logger: lines.logger)
            let end = source.end
            try await fixture.issue(days: 10)
            let later = now.advanced(by: .seconds(20 * 86_400))
            for _ in 0..<3 { reloader.look(at: later) }
            #expect(source.end == end)
            #expect(lines.all.count == 1)
            #expect(lines.all.first?.contains("has ended") == true)
        }
    }

    @Test func `a certificate that is not valid yet waits for its time`() async throws {
        try await TLSFixture.with { fixture in
            let (source, lines) = (try TLSSource(fixture.files), LogLines())
            let reloader = CertificateReloader(source, logger: lines.logger)
            let end = source.end
            try await fixture.issue(days: 90)
            let earlier = now.advanced(by: .seconds(-3600))
            for _ in 0..<3 { reloader.look(at: earlier) }
            #expect(source.end == end)
            #expect(lines.all.count == 1)
            #expect(lines.all.first?.contains("is not valid before") == true)
            reloader.look(at: .current)
            #expect(source.end > end)
            #expect(lines.all.last?.hasPrefix("certificate replaced") == true)
        }
    }

    @Test func `a certificate that ends soon is told of once a day`() async throws {
        try await TLSFixture.with { fixture in
            try await fixture.issue(days: 10)
            let lines = LogLines()
            let reloader = CertificateReloader(try TLSSource(fixture.files), logger: lines.logger)
            for hour in 0..<48 {
                reloader.look(at: now.advanced(by: .seconds(Double(hour) * 3600)))
            }
            #expect(lines.all.count == 2)
            #expect(lines.all.allSatisfy { $0.hasPrefix("certificate ends soon") })
        }
    }

    @Test func `an operator who asks is told even of the first failure, and of no change`()
        async throws
    {
        try await TLSFixture.with { fixture in
            let (source, lines) = (try TLSSource(fixture.files), LogLines())
            let reloader = CertificateReloader(source, logger: lines.logger)
            reloader.answer()
            try fixture.key.removeTree()
            reloader.answer()
            reloader.answer()
            #expect(
                lines.all.map { String($0.prefix(24)) } == [
                    "certificate unchanged ce", "certificate not replaced",
                    "certificate not replaced",
                ]
            )
        }
    }
}

import NIOSSL
import PlimsollMarketplace
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollEdge

/// Who reads a package slowly, or not at all, costs what any other client costs.
@Suite(.timeLimit(.minutes(5))) struct PackagePatienceTests {
    private static let large = SampleDistribution(
        variants: ["variant-a": 30_000_000],
        chunkSize: 1 << 24
    )
    private static let path = "/variant/variant-a.ipa"

    private static var impatient: EdgeLimits {
        var limits = EdgeLimits()
        limits.tickInterval = .milliseconds(5)
        // On a busy machine a client may wait long for its own turn.
        limits.idleTimeout = .seconds(3)
        return limits
    }

    @Test(arguments: [false, true])
    func `who does not take a package loses it and its place`(encrypted: Bool) async throws {
        var limits = Self.impatient
        limits.connectionsMaximum = 2
        limits.idleTimeout = .seconds(5)
        try await serving(limits, encrypted: encrypted) { fixture, address, client in
            try await RawConnection.with(address, tls: client) { stuck in
                try await stuck.send(fixture.get(Self.path))
                _ = try await stuck.beginning()
                // A connection and a file: there is room for nobody until they are given up.
                #expect(try await status(address, client) != 200)
                while try await status(address, client) != 200 {}
                // What is cut off over TLS ends without a goodbye.
                let taken = try? await stuck.rest()
                #expect(taken?.utf8.count ?? 0 < 30_000_000)
            }
        }
    }

    @Test(arguments: [false, true])
    func `who takes it slowly, but takes it, gets all of it`(encrypted: Bool) async throws {
        try await serving(Self.impatient, encrypted: encrypted) { fixture, address, client in
            try await RawConnection.with(address, tls: client) { connection in
                try await connection.send(fixture.get(Self.path))
                // Each read takes what the system has; many times the limit passes meanwhile.
                let answer = try #require(try await connection.answer())
                #expect(answer.body == Self.large.files["variant/variant-a.ipa"])
            }
        }
    }

    @Test func `a client that vanishes in the middle disturbs nobody`() async throws {
        try await serving(EdgeLimits(), encrypted: false) { fixture, address, _ in
            for _ in 0..<50 {
                try await RawConnection.with(address) { connection in
                    try await connection.send(fixture.get(Self.path))
                    _ = try await connection.beginning()
                }
            }
            let answer = try await RawConnection.with(address) { connection in
                try await connection.send(EdgeFixture.request)
                return try await connection.answer()
            }
            #expect(answer?.status == 200)
        }
    }

    @Test func `files that are open are counted, and a busy lookup says so`() async throws {
        let descriptors = Admission(maximum: 1)
        try await PackageFixture.with { fixture in
            let lookup = PackageLookup(
                try fixture.settings,
                descriptors: descriptors,
                connectionsMaximum: 4
            )
            let target = Array("\(PackageFixture.path)/signature".utf8)
            let found = lookup.name(at: 0..<target.count, in: target.span)
            let name = try #require(found)
            var file = await lookup.opened(name).package
            #expect(file?.facts.size == 16)
            #expect(await lookup.opened(name).isBusy)
            file = nil
            #expect(await lookup.opened(name).package != nil)
        }
    }

    /// Of a document, for somebody else; nil where the connection is not let in.
    private func status(_ address: EdgeAddress, _ client: NIOSSLContext?) async throws -> Int? {
        try await RawConnection.with(address, tls: client) { other in
            do {
                try await other.send(EdgeFixture.request)
                return try await other.answer()?.status
            } catch {
                return nil
            }
        }
    }

    private func serving(
        _ limits: EdgeLimits,
        encrypted: Bool,
        _ body:
            @escaping @Sendable (PackageFixture, EdgeAddress, NIOSSLContext?) async throws ->
            Void
    ) async throws {
        try await PackageFixture.with(Self.large) { fixture in
            try await TLSFixture.with { tls in
                let source = encrypted ? try TLSSource(tls.files) : nil
                let client = encrypted ? try tls.client() : nil
                try await EdgeFixture.with(
                    limits: limits,
                    tls: source,
                    packages: fixture.settings
                ) { _, address in try await body(fixture, address, client) }
            }
        }
    }
}

extension PackageLookup {
    fileprivate func opened(_ name: PackageFileName) async -> Delivery {
        await withCheckedContinuation { end in
            if let delivery = open(name, deliver: { end.resume(returning: $0) }) {
                end.resume(returning: delivery)
            }
        }
    }
}

extension Delivery {
    fileprivate var package: OpenFile? {
        if case .file(let file) = self { file } else { nil }
    }

    fileprivate var isBusy: Bool {
        if case .busy(.packagesBusy) = self { true } else { false }
    }
}

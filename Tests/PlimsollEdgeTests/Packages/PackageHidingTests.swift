import Foundation
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollEdge

/// What is no file of a package that is whole has no address.
@Suite(.timeLimit(.minutes(5))) struct PackageHidingTests {
    private let signature = SampleDistribution().signature

    private func statuses(
        _ paths: [String],
        spoiling spoil: @Sendable (PackageFixture) throws -> Void = { _ in }
    ) async throws -> [Int] {
        try await PackageFixture.with { fixture in
            try spoil(fixture)
            return try await EdgeFixture.with(packages: fixture.settings) { _, address in
                var statuses: [Int] = []
                for path in paths {
                    let status = try await RawConnection.with(address) { connection in
                        try await connection.send(EdgeFixture.get(path))
                        return try await connection.answer()?.status
                    }
                    statuses.append(status ?? 0)
                }
                return statuses
            }
        }
    }

    @Test func `a file has one name and no other`() async throws {
        let place = PackageFixture.path
        let paths = [
            "\(place)", "\(place)/", "\(place)/manifest.json/", "\(place)//manifest.json",
            "\(place)/Manifest.json", "\(place)/./manifest.json", "\(place)/variant/../signature",
            "\(place)/%6Danifest.json", "\(place)/manifest.json?x", "\(place)/manifest.json%00",
            "\(place)/variant/variant-a.ipa%00.json", "\(place)/variant/VARIANT-A.ipa",
            "\(place)/variant/variant-a", "\(place)/variant/", "\(place)/variant",
            "\(place)/variant/variant-a.ipa/x", "\(place)/variant/..%2fsignature",
            "\(place)/delta/variant-a.ipa", "\(place)/variant/.ipa", "\(place)/notes.txt",
            "/packages/0878123456789/1/signature", "/packages/878123456789/01/signature",
            "/packages/878123456789/2/signature", "/packages/+878123456789/1/signature",
            "/packages/878123456789/-1/signature", "/packages//878123456789/1/signature",
            "/packages/../packages/878123456789/1/signature", "/Packages/878123456789/1/signature",
            "/packages/.keys/878123456789-1.json", "/packages/.incoming/878123456789-1/signature",
            "/packages/878123456789/1", "/packages/", "/packages", "/878123456789/1/signature",
            "/packages/%2e%2e/878123456789/1/signature",
            "/packages/99999999999999999999999/1/signature",
            "/packages/" + String(repeating: "1", count: 1000),
        ]
        let statuses = try await statuses(paths) { fixture in
            try fixture.write([1], at: "\(PackageFixture.place)/notes.txt")
            try fixture.write([1], at: ".keys/878123456789-1.json")
            try fixture.write([1], at: ".incoming/878123456789-1/signature")
        }
        for (path, status) in zip(paths, statuses) { #expect(status == 404, "\(path)") }
        let signature = ["\(place)/signature"]
        #expect(try await self.statuses(signature) == [200])
    }

    /// A folder that is being copied is no package yet, whichever file is missing.
    @Test(arguments: [
        "manifest.json", "signature", "variant/variant-a.ipa", "variant/variant-b.ipa",
    ])
    func `half a package is not there at all`(missing: String) async throws {
        let all = ["manifest.json", "signature", "variant/variant-a.ipa", "variant/variant-b.ipa"]
        let paths = all.map { "\(PackageFixture.path)/\($0)" }
        let gone = try await statuses(paths) { fixture in
            try fixture.file("\(PackageFixture.place)/\(missing)").removeFile()
        }
        #expect(gone == [404, 404, 404, 404])
        guard missing != "signature" else { return }
        let short = try await statuses(paths) { fixture in
            try fixture.write([1, 2, 3], at: "\(PackageFixture.place)/\(missing)")
        }
        #expect(short == [404, 404, 404, 404])
    }

    @Test func `a package becomes visible once it is whole, and goes when it is removed`()
        async throws
    {
        try await PackageFixture.with { fixture in
            let place = PackageFixture.place
            let missing = fixture.file("\(place)/variant/variant-b.ipa")
            let bytes = try missing.read(sizeMaximum: 1 << 20)
            try missing.removeFile()
            try await EdgeFixture.with(packages: fixture.settings) { _, address in
                try await RawConnection.with(address) { connection in
                    let ask = fixture.get("/signature")
                    try await connection.send(ask)
                    #expect(try await connection.answer()?.status == 404)
                    try fixture.write(bytes, at: "\(place)/variant/variant-b.ipa")
                    try await connection.send(ask)
                    #expect(try await connection.answer()?.body == signature)
                    try fixture.folder.removeTree()
                    try await connection.send(ask)
                    #expect(try await connection.answer()?.status == 404)
                }
            }
        }
    }

    /// Somebody who may write into the folder must not have other files handed out.
    @Test func `symbolic links and what is no file are not followed`() async throws {
        let path = "\(PackageFixture.path)/signature"
        try await PackageFixture.with { other in
            let secret = other.file("\(PackageFixture.place)/signature").string
            let place = other.file(PackageFixture.place).string
            let version = other.file("878123456789").string
            let pipe = other.folder / "pipe"
            try await output(of: "mkfifo", [pipe.string])
            let spoilers: [@Sendable (PackageFixture) throws -> Void] = [
                { try Self.link(secret, at: $0.file("\(PackageFixture.place)/signature")) },
                { try Self.link(place, at: $0.file(PackageFixture.place)) },
                { try Self.link(version, at: $0.file("878123456789")) },
                { try pipe.rename(to: $0.file("\(PackageFixture.place)/signature")) },
                { fixture in
                    let file = fixture.file("\(PackageFixture.place)/signature")
                    try file.removeFile()
                    try file.createFolder()
                },
            ]
            for spoil in spoilers {
                let statuses = try await statuses([path], spoiling: spoil)
                #expect(statuses == [404])
            }
        }
    }

    private static func link(_ target: String, at path: Path) throws {
        try path.removeTree()
        try path.pointSymbolicLink(to: target)
    }

    @Test func `a manifest of another package, or none, makes no package`() async throws {
        let path = "\(PackageFixture.path)/signature"
        for manifest in [
            SampleDistribution(revision: 2).manifest, SampleDistribution(version: 5).manifest,
            Array("{}".utf8), [], [UInt8](repeating: 0x5B, count: 100_000),
        ] {
            let statuses = try await statuses([path]) { fixture in
                try fixture.write(manifest, at: "\(PackageFixture.place)/manifest.json")
            }
            #expect(statuses == [404])
        }
    }

    @Test(arguments: ["packages/", "/packages", "", "/a b/", "/%70/", "/a?b/", "/ä/"])
    func `a path that no address has is refused at the start`(path: String) {
        #expect(PackageSettings(folder: "/srv", path: path) == nil)
        #expect(PackageSettings(folder: "srv", path: "/packages/") == nil)
        #expect(PackageSettings(folder: "/srv", path: "/") != nil)
    }

    @Test func `only reading is allowed`() async throws {
        try await PackageFixture.with { fixture in
            try await EdgeFixture.with(packages: fixture.settings) { _, address in
                for method in ["POST", "PUT", "DELETE"] {
                    try await RawConnection.with(address) { connection in
                        try await connection.send(fixture.get("/signature", method))
                        #expect(try await connection.answer()?.status == 405)
                    }
                }
            }
        }
    }
}

import Crypto
import Foundation
import Glibc
import PlimsollAPI
import PlimsollJSON
import PlimsollTestSupport
import Subprocess
import Synchronization
import Testing

extension ServiceTests {
    /// From what Apple tells to a package that devices could fetch, with processes that die.
    @Suite struct PackageRoadTests {
        private static let secret = "a secret of Apple's"
        private static let version = "878123456789"

        private struct House {
            let fixture: ServerFixture
            let environment: [String: String]
            var packages: URL { fixture.folder.appending(path: "packages") }
            var package: URL { packages.appending(path: "\(version)/1") }
        }

        // Goal: what was answered 2xx is not lost, and half a package is never to be seen.
        // Method: the service is killed as soon as it has answered a notification, and again in the
        // middle of a file, where App Store Connect has fallen silent; the third run ends the work.
        @Test func `a package comes whole, whoever is killed on its way`() async throws {
            let sample = Self.large
            // Of what came before the first death nothing would be asked for again.
            let silence = Silence(behind: 0)
            let connect = stalling(sample, silence)
            try await serving(connect) { store, fixture in
                let house = try house(fixture, connect, store)
                try await fixture.run(environment: house.environment) { server in
                    try await list(server)
                    try await announce(server)
                    server.send(SIGKILL)
                }
                silence.begin.store(Self.half, ordering: .relaxed)
                try await fixture.run(environment: house.environment) { server in
                    try await half(in: house)
                    #expect(!FileManager.default.fileExists(atPath: house.package.path))
                    #expect(try await served("manifest.json", at: server, fixture) == nil)
                    server.send(SIGKILL)
                }
                try await fixture.run(environment: house.environment) { server in
                    let packages = try await eventually("the package is known") {
                        let list = try await list(of: server)
                        // Nothing there yet is no JSON null.
                        let isKnown = list["packages"]?.array?.isEmpty == false
                        return isKnown ? Optional(list) : .none
                    }
                    #expect(packages["packages"]?.array?.first?["state"] == "available")
                    #expect(packages["awaited"] == [])
                    for (path, bytes) in sample.files {
                        #expect(try await served(path, at: server, fixture) == bytes, "\(path)")
                    }
                    let manifest = try await served("manifest.json", at: server, fixture)
                    #expect(manifest == sample.manifest)
                    try await fixture.expectVerified()
                }
                try look(at: house, sample)
                let writes = WebRequest(.get, store.writes)
                let written = try await fixture.transport.send(writes).body
                let keys = String(decoding: written, as: UTF8.self).split(separator: "\n")
                #expect(keys.last == "/config/packages/\(Self.version)/1/manifest.json")
                #expect(Set(keys.map { $0.split(separator: "?")[0] }).count == 4)
            }
            // It went on after the last whole piece.
            let ranges = connect.fetches(of: "variant-a.ipa").compactMap(\.range)
            #expect(ranges == ["bytes=1441792-"])
        }

        @Test func `the command line fetches what the service was not told of`() async throws {
            let connect = StandInConnect()
            try await connect.serve {
                try await ServerFixture.with { fixture in
                    let house = try house(fixture, connect)
                    try await fixture.run { server in
                        try await list(server)
                        let outcome = try await server.plimsoll(
                            ingestion(house, connect),
                            as: try fixture.adminToken()
                        )
                        #expect(outcome.status == 0, "\(outcome.errors)")
                        #expect(outcome.output.contains(Self.version))
                        // Once more changes nothing, and fetches nothing.
                        let again = try await server.plimsoll(
                            ingestion(house, connect),
                            as: try fixture.adminToken()
                        )
                        #expect(again.status == 0, "\(again.errors)")
                    }
                    try look(at: house, SampleDistribution())
                }
            }
            #expect(connect.fetches(of: "variant-a.ipa").count == 1)
        }

        @Test func `a command that is killed in the middle of a file leaves no half package`()
            async throws
        {
            let connect = stalling(Self.large, Silence(behind: Self.half))
            try await connect.serve {
                try await ServerFixture.with { fixture in
                    let house = try house(fixture, connect)
                    try await fixture.run { server in
                        try await list(server)
                        let token = try fixture.adminToken()
                        let end = try await Program.whileRunning(
                            ingestion(house, connect),
                            log: fixture.folder.appending(path: "ingest.log"),
                            environment: [
                                "PLIMSOLL_URL": "http://\(try server.rest())",
                                "PLIMSOLL_TOKEN": token,
                            ]
                        ) { program in
                            try await half(in: house)
                            _ = kill(program.processID, SIGKILL)
                        }
                        #expect(end == .signaled(SIGKILL))
                        #expect(!FileManager.default.fileExists(atPath: house.package.path))
                        #expect(try await list(of: server)["packages"] == [])
                        let again = try await server.plimsoll(
                            ingestion(house, connect),
                            as: token
                        )
                        #expect(again.status == 0, "\(again.errors)")
                    }
                    try look(at: house, Self.large)
                }
            }
        }

        private static let large = SampleDistribution(
            variants: ["variant-a": 3_000_000, "variant-b": 70_000],
            chunkSize: 65_536
        )

        private static let half = 1_500_000

        /// Falls silent in the first file, the first time.
        private func stalling(
            _ sample: SampleDistribution,
            _ silence: Silence
        ) -> StandInConnect {
            StandInConnect(sample) { path, _, usual in
                guard path.hasPrefix("/files/"), path.hasSuffix("variant-a.ipa") else { return nil }
                guard usual.status == 200 else { return nil }
                var stalled = usual
                stalled.stallAfter = silence.begin.load(ordering: .relaxed)
                return stalled
            }
        }

        /// Waits until what came before the silence is on the disk.
        private func half(in house: House) async throws {
            try await eventually("half of a file") {
                let part = ".incoming/\(Self.version)-1/variant/variant-a.part"
                let path = house.packages.appending(path: part).path
                let size = try? FileManager.default.attributesOfItem(atPath: path)[.size]
                return (size as? Int) == Self.half ? () : nil
            }
        }

        private func serving(
            _ connect: StandInConnect,
            _ body: (StoreProcess, ServerFixture) async throws -> Void
        ) async throws {
            try await connect.serve {
                try await StoreProcess.with { store in
                    try await ServerFixture.with { try await body(store, $0) }
                }
            }
        }

        /// What the public listener has of the package; `nil` where that is nothing.
        private func served(
            _ path: String,
            at server: RunningServer,
            _ fixture: ServerFixture
        ) async throws -> [UInt8]? {
            let path = "/packages/\(Self.version)/1/\(path)"
            let answer = try await fixture.phone(at: server.edge(), path)
            return answer.status == 200 ? answer.body : nil
        }

        private func house(
            _ fixture: ServerFixture,
            _ connect: StandInConnect,
            _ store: StoreProcess? = nil
        ) throws -> House {
            let key = fixture.folder.appending(path: "AuthKey.p8")
            try Data(P256.Signing.PrivateKey().pemRepresentation.utf8).write(to: key)
            let own: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
            try FileManager.default.setAttributes(own, ofItemAtPath: key.path)
            var environment = StoreProcess.environment
            environment["PLIMSOLL_MARKETPLACE_PACKAGES_STORE"] = store?.address("packages")
            return House(
                fixture: fixture,
                environment: environment.merging([
                    "PLIMSOLL_MARKETPLACE_NOTIFICATIONS_SECRET": Self.secret,
                    "PLIMSOLL_MARKETPLACE_CONNECT_ISSUER": "issuer",
                    "PLIMSOLL_MARKETPLACE_CONNECT_KEY_ID": "KEY1",
                    "PLIMSOLL_MARKETPLACE_CONNECT_KEY": key.path,
                    "PLIMSOLL_MARKETPLACE_CONNECT_ORIGIN": connect.url,
                    "PLIMSOLL_MARKETPLACE_PACKAGES_FOLDER":
                        fixture.folder.appending(path: "packages").path,
                    "PLIMSOLL_MARKETPLACE_PACKAGES_ADDRESS":
                        "https://market.example.com/packages/",
                    "PLIMSOLL_MARKETPLACE_PACKAGES_PATH": "/packages/",
                ]) { $1 }
            )
        }

        private func ingestion(_ house: House, _ connect: StandInConnect) -> [String] {
            [
                "marketplace", "ingest", "--app", "harbour", "--version", "v-1", "--package", "p-1",
                "--issuer", "issuer", "--key-id", "KEY1",
                "--key", house.fixture.folder.appending(path: "AuthKey.p8").path,
                "--folder", house.packages.path,
                "--address", "https://market.example.com/packages/", "--origin", connect.url,
            ]
        }

        /// The sample's app becomes a marketplace that lists itself.
        private func list(_ server: RunningServer) async throws {
            let token = try server.fixture.adminToken()
            let root = "https://market.example.com"
            let marketplace: JSONValue = [
                "item": "6497405838", "domains": ["market.example.com"],
                "restore": .string("\(root)/restore"), "updates": .string("\(root)/updates"),
                "pollingInterval": 24, "dynamicLicense": .string("\(root)/licenses"),
                "signingCertificate": .string("\(root)/signing.cer"),
                "encryptionCertificate": .string("\(root)/encryption.cer"), "audience": "everybody",
            ]
            let set = try await server.send(
                .put,
                "/v1/apps/harbour/marketplace",
                as: token,
                marketplace
            )
            #expect(set.status == 200, "\(set)")
            let listing = try await server.send(
                .put,
                "/v1/apps/harbour/listings/harbour",
                as: token,
                ["item": "10737747186", "bundle": "org.example.harbour"]
            )
            #expect(listing.status == 200, "\(listing)")
        }

        private func announce(_ server: RunningServer) async throws {
            let text = """
                {"data":{"type":"AlternativeDistributionPackageVersionAvailable","version":1,
                "id":"7f3f1f4e-0000-4000-8000-000000000000","timestamp":"2026-11-20T08:00:00-07:00",
                "attributes":{"marketplaceAppId":"6497405838","appId":"10737747186",
                "alternativeDistributionPackageId":"p-1",
                "alternativeDistributionPackageVersionId":"v-1",
                "alternativeDistributionPackageVersionNum":"1",
                "eventTimestamp":"2026-11-20T08:00:00-07:00"}}}
                """
            let answer = try await server.hearsFromApple(text, signedWith: Self.secret)
            #expect(answer.status == 200)
        }

        private func list(of server: RunningServer) async throws -> JSONValue {
            let token = try server.fixture.adminToken()
            return try await server.list("/v1/apps/harbour/packages", as: token).json
        }

        private func look(at house: House, _ sample: SampleDistribution) throws {
            var files = ["manifest.json": sample.manifest, "signature": sample.signature]
            files.merge(sample.files) { $1 }
            for (name, bytes) in files {
                let data = try Data(contentsOf: house.package.appending(path: name))
                #expect(Array(data) == bytes, "\(name)")
            }
        }
    }
}

/// After how many bytes App Store Connect says nothing more.
private final class Silence: Sendable {
    let begin: Atomic<Int>

    init(behind count: Int) { begin = Atomic(count) }
}

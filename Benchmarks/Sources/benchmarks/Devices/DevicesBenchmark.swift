import Crypto
import Foundation
import PlimsollSystem

/// What devices of a marketplace ask a listener on one processor: updates of one app and of fifty,
/// against the signatures that they need, and a package of 100 MB against nginx.
///
/// Each app that is offered costs a token, and each token a signature; `openssl speed` makes nothing
/// else. It counts processor time, so that of the server is counted too, the system's part included.
struct DevicesBenchmark {
    let options: Options

    private static let devicesPort: UInt16 = 28_083
    private static let nginxPort: UInt16 = 28_084
    private static let apps = 50
    private static let connections = 64
    private static let downloads = 4

    func run() async throws {
        let program = try known(options.plimsoll, "the program plimsoll")
        let data = options.folder / "devices"
        try await RunningService.with(program, data: data) { service in
            try await service.whenReady()
            let house = MarketplaceHouse(
                team: try Team(of: service, adminToken: service.adminToken)
            )
            try house.open(apps: Self.apps)
            try await house.published(apps: Self.apps, on: service.edge)
        }
        let packages = try SamplePackage(in: options.folder / "packages")
        let server = try replica(program, over: data / "export", packages)
        defer { server.stop() }
        let nginx = try Nginx.serving(
            packages.folder,
            in: URL(filePath: (options.folder / "nginx-packages").string),
            port: Self.nginxPort
        ) { packages.isServed(on: Self.nginxPort) }
        defer { nginx.stop() }
        try await answers(of: server)
        try await downloads(packages)
    }

    private func replica(
        _ program: String,
        over export: Path,
        _ packages: SamplePackage
    ) throws -> Server {
        let key = options.folder / "token.pem"
        let pem = P256.Signing.PrivateKey().pemRepresentation
        try key.writeDurably(Array(pem.utf8), permissions: .ownerOnly)
        return try Server(
            "marketplace",
            [
                program, "marketplace", "serve", "--from", export.string,
                "--keys", (export / "keys.json").string,
                "--listen", "127.0.0.1:\(Self.devicesPort)",
                "--token-key", "2b5fd8a1-3c5e-4c59-9d53-6a1b7c9e0d42=\(key.string)",
                "--packages", packages.folder.string,
            ],
            alone: true,
            output: URL(filePath: (options.folder / "devices.log").string)
        ) { serves(Self.devicesPort) && packages.isServed(on: Self.devicesPort) }
    }

    private func answers(of server: Server) async throws {
        let yardstick = "openssl speed"
        var (rates, times): ([Score], [Score]) = ([], [])
        for apps in [1, Self.apps] {
            let name = "updates, \(apps) app\(apps == 1 ? "" : "s")"
            var rate = Score(name, against: yardstick, target: .atLeast(0.7))
            var time = Score("\(name), 99 %", against: "median", target: .atMost(3))
            let script = options.folder / "updates-\(apps).lua"
            try script.writeDurably(Array(MarketplaceHouse.script(apps: apps).utf8))
            let tokens = try MarketplaceHouse.tokens(apps: apps, on: Self.devicesPort)
            guard tokens == apps else {
                throw Failure(sentence: "\(tokens) of \(apps) apps were answered with a token")
            }
            for _ in 1...options.rounds {
                let signatures = try await SignatureSpeed.measure(options.seconds, onProcessor: 0)
                let start = try server.processorTime()
                let report = try await WrkReport.of(
                    "http://127.0.0.1:\(Self.devicesPort)/updates",
                    connections: Self.connections,
                    seconds: options.seconds,
                    ["-s", script.string]
                )
                let taken = try server.processorTime() - start
                rate.note(report.requests * Double(apps) / taken, against: signatures)
                time.note(report.p99, against: report.median)
            }
            rates.append(rate)
            times.append(time)
        }
        print(
            "  \(options.rounds) rounds of \(options.seconds) s, \(Self.connections) connections;",
            "tokens in answers against signatures alone, in a second of processor time"
        )
        Table(unit: "tokens/s", scores: rates).show()
        Table(unit: "ms", scores: times).show()
    }

    private func downloads(_ packages: SamplePackage) async throws {
        var score = Score("a package of 100 MB", against: "nginx", target: .atLeast(0.9))
        for _ in 1...options.rounds {
            let rates = try await [Self.devicesPort, Self.nginxPort].asyncMap { port in
                try await WrkReport.of(
                    "http://127.0.0.1:\(port)\(packages.path)",
                    connections: Self.downloads,
                    seconds: options.seconds,
                    // A hundred megabytes may take longer than an answer.
                    ["--timeout", "60s"]
                ).megabytesPerSecond
            }
            score.note(rates[0], against: rates[1])
        }
        print("  \(Self.downloads) connections")
        Table(unit: "MB/s", scores: [score]).show()
    }
}

extension Array {
    /// One after another.
    fileprivate func asyncMap<Result>(
        _ transform: (Element) async throws -> Result
    ) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}

/// A package whose one file is large, laid out as the ingestion leaves it.
struct SamplePackage {
    let folder: Path
    let path = "/packages/\(place)/variant/variant-a.ipa"

    private static let place = "878123456789/1"
    private static let size = 100_000_000

    init(in folder: Path) throws {
        self.folder = folder
        let place = Self.place.split(separator: "/").reduce(folder) { $0 / String($1) }
        try (place / "variant").createFolder()
        let digest = String(repeating: "0f", count: 32)
        let manifest = """
            {"manifestSchemaVersion": "1.0", "distributionPackageRevision": 1,
             "appleItemId": "10737747186", "bundleId": "org.example.harbour",
             "shortVersionString": "3.2.0", "bundleVersion": "412",
             "appleVersionId": "878123456789", "platforms": ["ios"],
             "minimumSystemVersions": {"ios": "17.4"},
             "variants": [{"publicId": "variant-a", "assetPath": "variant/variant-a.ipa",
              "variantDetails": {"compressedSize": \(Self.size), "hashes": [
               {"algorithm": "sha256", "chunkSize": \(Self.size),
                "encryptedChunkDigests": ["\(digest)"]}]}}]}
            """
        try (place / "manifest.json").writeDurably(Array(manifest.utf8))
        try (place / "signature").writeDurably([0])
        let file = place / "variant" / "variant-a.ipa"
        try file.writeDurably([UInt8](repeating: 0xA5, count: Self.size))
    }

    func isServed(on port: UInt16) -> Bool {
        guard let connection = try? HTTPConnection(port: port),
            let answer = try? connection.send("HEAD", path)
        else { return false }
        return answer.status == 200
    }
}

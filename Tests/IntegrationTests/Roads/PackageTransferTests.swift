import Foundation
import PlimsollTestSupport
import Testing

extension ServiceTests {
    /// A package as a program gets it that knows nothing of this package.
    @Suite struct PackageTransferTests {
        private static let place = "878123456789/1"
        private static let sample = SampleDistribution(
            variants: ["Variant-A": 12_000_000, "variant-b": 70_000],
            deltas: ["delta-1": 1],
            chunkSize: 1 << 20
        )

        private var files: [String: [UInt8]] {
            var files = Self.sample.files
            files["manifest.json"] = Self.sample.manifest
            files["signature"] = Self.sample.signature
            return files
        }

        // Goal: all files of a package come whole, and beside each other, over one connection.
        // Method: curl fetches them at once over HTTP/2, and one after another over HTTP/1.1.
        @Test(arguments: [["--http2", "--parallel"], ["--http1.1"]])
        func `curl gets a whole package over TLS`(options: [String]) async throws {
            try await ServerFixture.with { fixture in
                let export = try await fixture.makeExport()
                let packages = fixture.folder.appending(path: "packages")
                for (path, bytes) in files {
                    try write(bytes, to: packages.appending(path: "\(Self.place)/\(path)"))
                }
                let tls = try await Certificate.issue(in: fixture.folder, named: "first")
                let served = tls.options + ["--packages", packages.path]
                try await fixture.standaloneEdge(over: export, served) { edge in
                    let got = fixture.folder.appending(path: "got")
                    let report = try await fetch(edge, tls, to: got, options)
                    let version = options.contains("--http2") ? "2" : "1.1"
                    #expect(report.count == files.count)
                    #expect(report.allSatisfy { $0.hasPrefix("\(version) 200 ") }, "\(report)")
                    // The first has made the connection, which the others take.
                    #expect(report.count { $0.hasSuffix(" 1") } == 1, "\(report)")
                    for (path, bytes) in files {
                        let fetched = try Data(contentsOf: got.appending(path: path))
                        #expect(fetched == Data(bytes), "\(path)")
                    }
                }
            }
        }

        private func write(_ bytes: [UInt8], to file: URL) throws {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(bytes).write(to: file)
        }

        /// Of each file the protocol, the status and how many connections were made for it.
        private func fetch(
            _ edge: EdgeProcess,
            _ tls: Certificate,
            to folder: URL,
            _ options: [String]
        ) async throws -> [Substring] {
            let port = try edge.port
            let places = files.keys.sorted().flatMap { path in
                [
                    "--output", folder.appending(path: path).path,
                    "https://localhost:\(port)/packages/\(Self.place)/\(path)",
                ]
            }
            let outcome = try await Program.run(
                "curl",
                [
                    "--silent", "--show-error", "--create-dirs", "--no-progress-meter",
                    "--cacert", tls.certificate.path,
                    "--resolve", "localhost:\(port):127.0.0.1",
                    "--write-out", "%{http_version} %{http_code} %{num_connects}\n",
                ] + options + places
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.output.split(separator: "\n")
        }
    }
}

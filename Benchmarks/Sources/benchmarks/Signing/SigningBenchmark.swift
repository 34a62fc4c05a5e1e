import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem

/// Signatures as the exporter makes them, with a key from its folder and over a whole document, and
/// tokens as devices get them, against `openssl speed`, which signs a digest.
///
/// Both count processor time.
struct SigningBenchmark {
    let options: Options

    /// About what the sample's document takes.
    private static let bodySize = 4096

    func run() async throws {
        let keys = SigningKeys(folder: options.folder / "signing")
        try keys.prepare()
        let app = try known(AppSlug("harbour"), "a slug")
        let signer = try keys.signer(for: try keys.makeKey(for: app))
        let now = Instant(millisecondsSince1970: 1_790_000_000_000)
        let tokens = try TokenLoad(now: now)
        let body = [UInt8](repeating: 0x7B, count: Self.bodySize)
        let date = SignatureDate(now)
        var exporter = Score("exporter", against: "openssl speed", target: .atLeast(0.8))
        var devices = Score("tokens", against: "openssl speed", target: .atLeast(0.7))
        for _ in 1...options.rounds {
            let yardstick = try await SignatureSpeed.measure(options.seconds)
            let documents = try rate {
                _ = try DistributionSignature(signing: body, date: date, with: signer)
            }
            exporter.note(documents, against: yardstick)
            devices.note(try rate { try tokens.sign(at: now) }, against: yardstick)
        }
        print(
            "  P-256 over a document of \(Self.bodySize) bytes, and over claims of tokens,",
            "\(options.rounds) rounds of \(options.seconds) s"
        )
        Table(unit: "signatures/s", scores: [exporter, devices]).show()
    }

    private func rate(of sign: () throws -> Void) throws -> Double {
        let start = processorTime
        var count = 0
        while processorTime - start < Double(options.seconds) {
            try sign()
            count += 1
        }
        return Double(count) / (processorTime - start)
    }

    /// In seconds, of this process.
    private var processorTime: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
}

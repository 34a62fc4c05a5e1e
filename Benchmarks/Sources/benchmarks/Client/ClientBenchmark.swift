import Crypto
import Foundation
import PlimsollClient

/// What a phone does with a document that arrived: verify, decode, decide; against the one
/// verification of a P-256 signature over the same bytes that nobody can do without.
///
/// Both count processor time. The document has the size and the languages of the largest that was
/// ever in the field: four thresholds in twelve languages.
struct ClientBenchmark {
    let options: Options

    private static let languages = [
        "ar", "bn", "cy", "en", "gu", "pa", "pl", "ro", "so", "tr", "ur", "zh",
    ]

    func run() async throws {
        let key = P256.Signing.PrivateKey()
        let body = Self.body
        let date = "Sat, 21 Nov 2026 10:22:06 UTC"
        let signature = try key.signature(for: Data("\(date):".utf8) + body)
        let id = "0a1b2c3d-0000-4000-8000-000000000001"
        let signed = SignedDocument(
            body: body,
            signature:
                "keyId=\"\(id)\",signature=\"\(signature.derRepresentation.base64EncodedString())\"",
            date: date
        )
        let verifier = DocumentVerifier(
            keys: try PinnedKeys(pem: [id: key.publicKey.pemRepresentation]),
            app: "harbour",
            platform: .ios
        )
        let device = try Self.device()
        var score = Score("client", against: "one verification", target: .atLeast(0.6))
        for _ in 1...options.rounds {
            let client = try rate {
                let decision = try verifier.document(from: signed)
                    .decision(on: device, storeVersion: nil, languages: ["cy-GB"])
                return decision.verdict == .appTooOld && decision.language == "cy"
            }
            let verification = try rate {
                key.publicKey.isValidSignature(signature, for: Data("\(date):".utf8) + body)
            }
            score.note(client, against: verification)
        }
        print("  a document of \(body.count) bytes, \(options.rounds) rounds")
        Table(unit: "documents/s", scores: [score]).show()
    }

    /// How often it is done in a second of this process's time.
    private func rate(_ work: () throws -> Bool) throws -> Double {
        let start = processorTime
        var count = 0
        while processorTime - start < Double(options.seconds) {
            guard try work() else {
                throw Failure(sentence: "the document of the benchmark is not what it should be")
            }
            count += 1
        }
        return Double(count) / (processorTime - start)
    }

    private var processorTime: Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

    private static func device() throws -> Device {
        let os = try known(Version("17.0"), "a version")
        let app = try known(Version("3.1.0"), "a version")
        return try known(Device(platform: .ios, os: os, app: app), "a device")
    }

    private static var body: Data {
        let names = [
            "minimumAppVersion", "minimumOSVersion", "recommendedAppVersion",
            "recommendedOSVersion",
        ]
        let lines = names.map { name in
            "\"\(name)\":{\"description\":\(texts(220)),\"title\":\(texts(30)),"
                + "\"value\":\"\(name.contains("App") ? "3.2.0" : "15.0")\"}"
        }
        let stamp = """
            "plimsoll":{"app":"harbour","expiresAt":"2026-11-28T10:22:06.714Z",\
            "issuedAt":"2026-11-21T10:22:06.714Z","platform":"ios","position":113,"sequence":113}
            """
        return Data("{\(lines.joined(separator: ",")),\(stamp)}".utf8)
    }

    /// Every other language takes two bytes for a letter and has a line break.
    private static func texts(_ length: Int) -> String {
        let texts = languages.enumerated().map { place, language in
            let letters = String(repeating: place % 2 == 0 ? "عر" : "ab ", count: length / 3)
            return "\"\(language)\":\"\(letters)\\n\\n\(letters)\""
        }
        return "{\(texts.joined(separator: ","))}"
    }
}

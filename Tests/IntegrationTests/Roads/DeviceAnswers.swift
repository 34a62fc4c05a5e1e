import Crypto
import Foundation
import PlimsollJSON
import PlimsollTestSupport
import Synchronization
import Testing

/// What devices were answered on the road of a marketplace, kept as it stood on the wire.
final class DeviceAnswers: Sendable {
    private let folder: URL
    private let key: URL
    private let publicKey: URL
    /// What devices ought to make of each answer that was kept, by its name.
    private let expected = Mutex<[String: String]>([:])

    private static let keyID = "2b5fd8a1-3c5e-4c59-9d53-6a1b7c9e0d42"
    private static let (first, second) = ("878123456700", "878123456789")
    private static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "Verifier")
    private static let tokenScripts = scripts.deletingLastPathComponent()
        .appending(path: "../../PlimsollDevicesTests/Tokens/Verifier").standardizedFileURL

    init(in fixture: URL) throws {
        folder = fixture.appending(path: "answers")
        key = fixture.appending(path: "token.pem")
        publicKey = fixture.appending(path: "token.public.pem")
        let pair = P256.Signing.PrivateKey()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try Data(pair.pemRepresentation.utf8).write(to: key)
        try Data(pair.publicKey.pemRepresentation.utf8).write(to: publicKey)
        let own: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        try FileManager.default.setAttributes(own, ofItemAtPath: key.path)
    }

    /// Of a service that signs tokens with the key.
    var environment: [String: String] {
        ["PLIMSOLL_MARKETPLACE_TOKEN_KEYS": "\(Self.keyID)=\(key.path)"]
    }

    /// What a device asks at each step.
    private struct Question {
        let name: String
        let version: String
        let system: String

        init(_ name: String, _ version: String, on system: String) {
            (self.name, self.version, self.system) = (name, version, system)
        }
    }

    private static let questions = [
        Question("restore", first, on: "17.4"), Question("restore", second, on: "17.4"),
        Question("updates", "0", on: "17.4"), Question("updates", first, on: "17.4"),
        Question("updates", first, on: "17.0"),
    ]

    /// What the questions are answered from a step on: a version, a code, or nothing at all.
    private static let courses: [(step: String, answers: [String])] = [
        (" marketplace set ", ["404", "404", "404", "404", "404"]),
        (" listing set ", ["404", "404", "nothing", "nothing", "nothing"]),
        (" approve 1 ", [first, second, second, second, "nothing"]),
        (" approve 2 ", ["404", second, second, second, "nothing"]),
        (" withdraw ", ["404", "404", "nothing", "nothing", "nothing"]),
        (" rollback ", [first, "404", first, "nothing", "nothing"]),
    ]

    /// Asks until the step that the line takes has reached devices, and keeps what they were answered.
    func ask(_ device: DeviceProbe, after line: String) async throws {
        let course = Self.courses.first { line.contains($0.step) }?.answers
        guard let course = course ?? current.withLock({ $0 }) else {
            // Until what was registered is published devices are told to come back.
            return try await eventually("that no device is answered after \(line)") {
                let text = try await device.exchange([("/restore", DeviceProbe.body(Self.first))])
                return text.hasPrefix("HTTP/1.1 405") ? () : nil
            }
        }
        current.withLock { $0 = course }
        let texts = try await eventually("the answers after \(line)") {
            try await answers(of: device, as: course)
        }
        try keep(try await device.file("/distribution/keys.json"), "keys", meaning: "keys")
        let kit = try await device.file("/.well-known/marketplace-kit")
        try keep(kit, "kit", meaning: "configured")
        for (question, (text, meaning)) in zip(Self.questions, zip(texts, course)) {
            try keep(text, question.name, meaning: meaning)
        }
    }

    private let current = Mutex<[String]?>(nil)

    /// `nil` where any of them is not as it is to be.
    private func answers(of device: DeviceProbe, as course: [String]) async throws -> [String]? {
        var texts: [String] = []
        for (question, meaning) in zip(Self.questions, course) {
            let body = DeviceProbe.body(question.version, os: question.system)
            let text = try await device.exchange([("/\(question.name)", body)])
            guard text.hasPrefix("HTTP/1.1 200") else { return nil }
            let reply = try DeviceProbe.Reply(onWire: text)
            let told = reply.versions.first ?? (reply.failure == nil ? "nothing" : "404")
            guard told == meaning else { return nil }
            texts.append(text)
        }
        return texts
    }

    private func keep(_ text: String, _ kind: String, meaning: String) throws {
        let name = expected.withLock { expected in
            let name = "\(1000 + expected.count)-\(kind)"
            expected[name] = meaning
            return name
        }
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    /// Fails the test unless somebody else reads all answers as they were meant.
    func expectVerified() async throws {
        let outcome = try await Program.run(
            StoreProcess.python,
            [
                Self.scripts.appending(path: "answers.py").path, folder.path, publicKey.path,
                Self.keyID, "6497405838",
            ],
            environment: ["PYTHONPATH": Self.tokenScripts.path]
        )
        try #require(outcome.status == 0, "\(outcome.errors)")
        let read = try #require(try JSONValue(parsing: Array(outcome.output.utf8)).object)
        let expected = expected.withLock { $0 }
        #expect(expected.count > 100)
        #expect(Set(read.members.map(\.key)) == Set(expected.keys))
        for (name, meaning) in expected { #expect(read[name]?.string == meaning, "\(name)") }
    }
}

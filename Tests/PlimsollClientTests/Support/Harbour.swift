import Foundation
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollClient

/// A clock that a test sets, and that runs on when somebody sleeps.
final class Clock: Sendable {
    private let time: Mutex<Date>
    private let sleeps = Mutex<[TimeInterval]>([])

    init(_ text: String) throws {
        time = Mutex(try #require(Date(rfc3339: text)))
    }

    var now: Date { time.withLock { $0 } }
    var pauses: [TimeInterval] { sleeps.withLock { $0 } }

    func set(_ date: Date) { time.withLock { $0 = date } }

    func set(_ text: String) throws { set(try #require(Date(rfc3339: text))) }

    /// Sleeping takes no time, and the clock is that much later.
    var environment: ClientEnvironment {
        ClientEnvironment(
            now: { self.now },
            sleep: { seconds in
                self.sleeps.withLock { $0.append(seconds) }
                self.time.withLock { $0.addTimeInterval(seconds) }
            },
            chance: { 0 }
        )
    }
}

/// An app with a key that it trusts and a folder of its own, removed in the end.
struct Harbour: Sendable {
    let publisher = Publisher()
    let folder: URL
    let clock: Clock
    let device: Device

    static func with<Result>(
        app: String = "3.1.0",
        _ body: (Harbour) async throws -> Result
    ) async throws -> Result {
        let name = "plimsoll-client-" + UUID().uuidString.lowercased()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(try Harbour(folder, app))
    }

    private init(_ folder: URL, _ app: String) throws {
        self.folder = folder
        clock = try Clock("2026-11-21T12:00:00Z")
        let os = try #require(Version("17.0"))
        let version = try #require(Version(app))
        device = try #require(Device(platform: .ios, os: os, app: version))
    }

    var keys: PinnedKeys {
        get throws { try PinnedKeys(pem: [publisher.keyID: publisher.pem]) }
    }

    var verifier: DocumentVerifier {
        get throws { DocumentVerifier(keys: try keys, app: "harbour", platform: .ios) }
    }

    func client(
        port: Int = 1,
        in environment: ClientEnvironment? = nil,
        _ change: (inout AvailabilityClient.Configuration) -> Void = { _ in }
    ) throws -> AvailabilityClient {
        var configuration = try AvailabilityClient.Configuration(
            service: try #require(URL(string: "http://127.0.0.1:\(port)")),
            app: "harbour",
            device: device,
            keys: try keys,
            folder: folder
        )
        configuration.languages = { ["en-GB"] }
        // Other tests may keep the machine busy; those about time limits set their own.
        configuration.timeLimit = 240
        change(&configuration)
        return AvailabilityClient(configuration, in: environment ?? clock.environment)
    }

    /// One that really waits, far longer than a test may take.
    func waitingClient(
        port: Int,
        _ change: (inout AvailabilityClient.Configuration) -> Void
    ) throws -> AvailabilityClient {
        let clock = clock
        return try client(port: port, in: ClientEnvironment(now: { clock.now })) {
            $0.folder = nil
            change(&$0)
        }
    }

    func signed(_ draft: DocumentDraft = DocumentDraft()) throws -> SignedDocument {
        try signed(draft.body)
    }

    func signed(_ body: Data) throws -> SignedDocument {
        let headers = try publisher.headers(for: body)
        return SignedDocument(body: body, signature: headers.signature, date: headers.date)
    }

    func kept(_ draft: DocumentDraft = DocumentDraft()) throws -> KeptDocument {
        let signed = try signed(draft)
        return KeptDocument(
            document: try verifier.document(from: signed),
            signed: signed,
            entityTag: "\"1\""
        )
    }

    var documentFolder: DocumentFolder {
        get throws {
            DocumentFolder(
                folder,
                app: "harbour",
                platform: .ios,
                verifier: try verifier,
                bodyMaximum: 1 << 20
            )
        }
    }

    /// The names of the files in the folder.
    var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }
}

/// The code of the error that the body throws.
func code(_ body: () throws -> Void) throws -> AvailabilityError.Code? {
    do {
        try body()
        return nil
    } catch let error as AvailabilityError {
        return error.code
    }
}

extension AvailabilityClient {
    func refreshOnceSomebodyWaits() async -> AvailabilityState {
        while news.listeners == 0 { await Task.yield() }
        return await refresh()
    }
}

import Foundation
import Glibc
import PlimsollAdmin
import PlimsollDomain
import PlimsollObjectStore
import Subprocess
import Testing

/// An S3 API on a real socket, which checks signatures and can be put in a bad mood.
struct StoreServer: Sendable {
    enum Mood: String {
        case well
        /// Answers 503.
        case away
        /// Answers after half a minute.
        case slow
        /// Does what a write asks, and closes the connection without an answer.
        case lost
        /// Answers 403.
        case refusing
    }

    let port: Int

    static let environment = [
        "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
        "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    ]

    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Server/store.py").path

    /// Runs the body against a store with the empty bucket `config`.
    static func with(_ body: (StoreServer) async throws -> Void) async throws {
        let place = NSTemporaryDirectory() + "plimsoll-store-\(UUID().uuidString)"
        let python = ProcessInfo.processInfo.environment["PLIMSOLL_TEST_PYTHON"] ?? "python3"
        var options = PlatformOptions()
        options.teardownSequence = [
            .send(signal: .terminate, allowedDurationToNextStep: .seconds(5))
        ]
        _ = try await Subprocess.run(
            .name("env"),
            arguments: Arguments([python, script, place]),
            platformOptions: options,
            input: .none,
            output: .discarded,
            error: .discarded
        ) { execution in
            let port = try await port(in: place)
            try FileManager.default.removeItem(atPath: place)
            try await body(StoreServer(port: port))
            _ = kill(execution.processIdentifier.value, SIGTERM)
        }
    }

    private static func port(in place: String) async throws -> Int {
        let deadline = ContinuousClock.now + .seconds(60)
        while !FileManager.default.fileExists(atPath: place) {
            try #require(ContinuousClock.now < deadline, "moto's server is needed: scripts/test")
            try await Task.sleep(for: .milliseconds(20))
        }
        let text = try String(contentsOfFile: place, encoding: .utf8)
        return try #require(Int(text))
    }

    func place(
        _ folder: String = "live",
        environment: [String: String] = StoreServer.environment
    ) throws -> StorePlace {
        let text = "s3://config/\(folder)?endpoint=http://127.0.0.1:\(port)"
        let address = try #require(StoreAddress(text))
        return try #require(StorePlace(address, environment: environment))
    }

    /// What it does from now on; `lost` only as often as it is told.
    func be(_ mood: Mood, times: Int = 1000) async throws {
        _ = try await asked("/.mood/\(mood.rawValue)/\(times)")
    }

    /// The keys that were written to, in order, behind the bucket and the folder.
    func writes() async throws -> [String] {
        try await asked("/.writes").split(separator: "\n").map {
            $0.split(separator: "/").dropFirst(2).joined(separator: "/")
        }
    }

    /// What the store has under a key.
    func object(_ key: String) async throws -> StoredObject? {
        let reading = try await ObjectStore.with(try place(), now: now) { store in
            try await store.object(key)
        }
        if case .found(let object) = reading { return object }
        return nil
    }

    private func asked(_ path: String) async throws -> String {
        let answer = try await Transport.with { transport in
            try await transport.send(WebRequest(.get, "http://127.0.0.1:\(port)\(path)"))
        }
        return String(decoding: answer.body, as: UTF8.self)
    }
}

/// The wall clock.
let now: @Sendable () -> Instant = { Instant(Date.now) }

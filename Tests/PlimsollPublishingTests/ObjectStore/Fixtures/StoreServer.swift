import FoundationEssentials
import PlimsollAPI
import PlimsollDomain
import PlimsollPublishing
import PlimsollTestSupport
import Testing

/// A store on a real socket, with what tests want to know of it.
struct StoreServer: Sendable {
    private let process: StoreProcess

    var port: Int { process.port }

    static let environment = StoreProcess.environment

    static func with(_ body: (StoreServer) async throws -> Void) async throws {
        try await StoreProcess.with { try await body(StoreServer(process: $0)) }
    }

    func place(
        _ folder: String = "live",
        environment: [String: String] = StoreServer.environment
    ) throws -> StorePlace {
        let address = try #require(StoreAddress(process.address(folder)))
        return try #require(StorePlace(address, environment: environment))
    }

    /// What it does from now on; `lost` and `keeping` as often as they are told, and
    /// `holding` and `heedless` with the write of that number.
    func be(_ behavior: StoreProcess.Behavior, times: Int = 1000) async throws {
        _ = try await asked(process.url(of: behavior, times: times))
    }

    /// Whether the write that was to be held is, once that is so.
    func isHolding() async throws -> Bool {
        try await asked(process.held) == "True"
    }

    /// The keys that were written to, in order, behind the bucket and the folder.
    func writes() async throws -> [String] {
        try await asked(process.writes).split(separator: "\n").map {
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

    private func asked(_ url: String) async throws -> String {
        let answer = try await Transport.with { transport in
            try await transport.send(WebRequest(.get, url))
        }
        return String(decoding: answer.body, as: UTF8.self)
    }
}

/// The wall clock.
let now: @Sendable () -> Instant = { Instant(Date.now) }

import Foundation
import PlimsollSystem
import PlimsollLog
import PlimsollWitness
import Testing

/// A folder for a witness and its key, which goes with the test.
struct WatchHouse: Sendable {
    let folder: URL

    static func with<Result>(_ body: (WatchHouse) async throws -> Result) async throws -> Result {
        let name = "plimsoll-witness-\(UInt64.random(in: .min ... .max))"
        let folder = FileManager.default.temporaryDirectory.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body(WatchHouse(folder: folder)))
        } catch {
            result = .failure(error)
        }
        try FileManager.default.removeItem(at: folder)
        return try result.get()
    }

    var state: URL { folder.appending(path: "state") }

    /// Watches as a process does that has just started.
    func watch<Result: Sendable>(
        _ tree: PublishedTree,
        _ body: (Witness) async throws -> Result
    ) async throws -> Result {
        try await Witness.with(
            of: tree.trust,
            WitnessKeyFile(folder.appending(path: "key").path, name: KeyName("w1.example.com")),
            folder: state.path,
            clock: { 1_800_000_000 },
            body
        )
    }

    /// What is known to have been seen.
    func seen() throws -> MerkleRoot {
        try signed("checkpoint").checkpoint.root
    }

    func signed(_ name: String) throws -> SignedCheckpoint {
        try SignedCheckpoint(parsing: Array(Data(contentsOf: state.appending(path: name))))
    }

    func place(of name: String) -> String { state.appending(path: name).path }

    func alarms() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: state.path)
            .filter { $0.hasPrefix("alarm-") }
    }
}

/// Whether a checkpoint carries the witness's line, made at the clock's time.
func isCosigned(_ signed: SignedCheckpoint, by witness: VerifierKey, _ tree: PublishedTree) -> Bool
{
    let trust = LogTrust(logKeys: tree.trust.logKeys, witnesses: [witness], witnessesNeeded: 1)
    guard case .verified(let verified) = signed.verification(by: trust) else { return false }
    return verified.cosignatures.map(\.posixSeconds) == [1_800_000_000]
}

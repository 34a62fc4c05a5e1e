import Foundation
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import Synchronization

/// Looks at the edge until it serves a publication that phones accept.
struct EdgeWait {
    let address: ServiceAddress
    let duration: Duration

    /// Waits for every file that the effect touches, and answers what is served of the oldest; `nil`
    /// where no file tells of it.
    ///
    /// A document that did not change keeps its older sequence, so it is not waited for; one that
    /// did change bears a position no older than the append that ordered it. What was taken back
    /// before phones saw it is not served, however high the position is that they see.
    func wait(
        for write: AppliedWrite,
        trusting service: ServiceOptions
    ) async throws -> ServedProof? {
        let (effect, position) = (write.effect, write.position)
        let latestReason = LatestReason()
        return try await service.withClient { client in
            try await Transport.with { transport -> ServedProof? in
                let edge = PublicEdge(address: address, transport: transport)
                let look = EdgeLook(app: write.app, client: client, edge: edge)
                let proofs = try await within(duration) {
                    var proofs: [ServedProof] = []
                    for format in await look.formats(telling: effect) {
                        proofs.append(
                            try await look.wait(
                                for: effect,
                                of: position,
                                in: format,
                                noting: latestReason
                            )
                        )
                    }
                    return proofs
                }
                guard let proofs else { throw late(position, latestReason.text) }
                return proofs.min { $0.sequence < $1.sequence }
            }
        }
    }

    /// Waits until devices are told of all that was withdrawn, and answers what they are told it by.
    func wait(
        forWithdrawalsIn list: PackageList,
        trusting service: ServiceOptions
    ) async throws -> ServedProof {
        let latestReason = LatestReason()
        return try await service.withClient { client in
            try await Transport.with { transport -> ServedProof in
                let edge = PublicEdge(address: address, transport: transport)
                let look = EdgeLook(app: list.app, client: client, edge: edge)
                let proof = try await within(duration) {
                    try await look.wait(forWithdrawals: Set(list.withdrawn), noting: latestReason)
                }
                guard let proof else { throw late(list.position, latestReason.text) }
                return proof
            }
        }
    }

    private func late(_ position: Position, _ mismatch: String?) -> Failure {
        Failure(
            .timedOut,
            "It is not known that \(address) serves event \(position); \(duration) have passed.",
            detail: "\(mismatch ?? "\(address) has not answered yet.") The write itself is done.",
            next: "plimsoll doctor"
        )
    }
}

/// What came of something before the time was over; it is given up then.
private func within<Result: Sendable>(
    _ duration: Duration,
    _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result? {
    try await withThrowingTaskGroup(of: Result?.self) { group in
        group.addTask(name: "wait for phones") { try await work() }
        group.addTask(name: "patience with the edge") {
            try await ContinuousClock().sleep(for: duration)
            return nil
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
    }
}

/// Why phones were not served what is waited for when somebody last looked.
private final class LatestReason: Sendable {
    private let sentence = Mutex<String?>(nil)

    var text: String? { sentence.withLock(\.self) }

    func note(_ mismatch: String) { sentence.withLock { $0 = mismatch } }
}

/// What phones are served, looked at as one of them would.
private struct EdgeLook: Sendable {
    let app: AppSlug
    let client: AdminClient
    let edge: PublicEdge

    /// Those that say something else then; marketplaces are told nothing of an app that none lists.
    func formats(telling effect: [FieldChange]) async -> [WireFormat] {
        let formats = WireFormat.all.filter { format in effect.contains { format.tells($0.field) } }
        // Where that cannot be had, they are waited for.
        guard formats.contains(.packages),
            let list = try? await client.call(Endpoints.listPackages, app), list.listings.isEmpty
        else { return formats }
        return formats.filter { $0 != .packages }
    }

    /// Looks until phones are served the position or a later one, and answers which.
    func wait(
        for effect: [FieldChange],
        of position: Position,
        in format: WireFormat,
        noting latestReason: LatestReason
    ) async throws -> ServedProof {
        try await repeating(in: format, noting: latestReason) { keys in
            let (proof, _) = try await look(in: format, &keys) { $0.position >= position }.get()
            try await refuse(effect, of: position, overtakenBy: proof, in: format)
            return proof
        }
    }

    /// Looks until devices are told that all these versions were withdrawn.
    func wait(
        forWithdrawals versions: Set<AppleVersionID>,
        noting latestReason: LatestReason
    ) async throws -> ServedProof {
        try await repeating(in: .packages, noting: latestReason) { keys in
            let (proof, body) = try await look(in: .packages, &keys) { _ in true }.get()
            guard let document = try? PackagesDocument(parsing: body),
                versions.isSubset(of: document.withdrawn)
            else { throw Mismatch(of: proof.position) }
            return proof
        }
    }

    private func repeating(
        in format: WireFormat,
        noting latestReason: LatestReason,
        _ look: (inout TrustedKeys?) async throws -> ServedProof
    ) async throws -> ServedProof {
        var keys: TrustedKeys?
        while true {
            do {
                return try await look(&keys)
            } catch let mismatch as Mismatch {
                if !Task.isCancelled {
                    latestReason.note("\(format.place): \(mismatch.sentence)")
                }
                try await ContinuousClock().sleep(for: mismatch.pause)
            }
        }
    }

    /// Throws where something of the effect was overwritten up to what phones are served, and where
    /// that is of another log.
    private func refuse(
        _ effect: [FieldChange],
        of position: Position,
        overtakenBy proof: ServedProof,
        in format: WireFormat
    ) async throws {
        let served = proof.position
        guard served > position else { return }
        let since = try await changes(after: position, upTo: proof, in: format)
        let fields = Set(effect.map(\.field))
        let overtaken = since.filter { fields.contains($0.field) }
        // A version says more than the texts that went with it.
        guard let lost = overtaken.first(where: { $0.field.part == .value }) ?? overtaken.first
        else { return }
        // What was lost is known; who took it back need not be.
        let writes = try? await client.history(of: lost.field, in: app).writes
        let write = writes?.first { $0.event > position && $0.event <= served }
        throw Failure(
            .conflict,
            "Event \(position) is overtaken: \(write?.cause ?? "a later event has taken it back").",
            detail: "\(lost.sentence) since. The write itself was done.",
            next: "plimsoll history --app \(app) --field \(lost.field.path)"
        )
    }

    /// What was written since; throws where the log has not come as far as what phones are served,
    /// or nobody says for now.
    private func changes(
        after position: Position,
        upTo proof: ServedProof,
        in format: WireFormat
    ) async throws -> [FieldChange] {
        do throws(AdminError) {
            return try await client.diff(
                of: app,
                from: .event(position),
                to: .event(proof.position),
                on: format.platform
            ).changes
        } catch {
            let codes = error.problem?.errors.map(\.code) ?? []
            throw codes.contains("targetAhead")
                ? Mismatch(ofLost: proof.sequence)
                : Mismatch(of: error, "the service does not tell what was written since.")
        }
    }

    /// What phones are served, or why that is not what is waited for yet.
    private func look(
        in format: WireFormat,
        _ known: inout TrustedKeys?,
        _ isNew: (ServedProof) -> Bool
    ) async -> Result<(ServedProof, [UInt8]), Mismatch> {
        let keys: TrustedKeys
        do {
            keys = try await trustedKeys(known)
        } catch {
            return .failure(Mismatch(of: error, "the service does not tell its keys."))
        }
        known = keys
        let answer: PublicEdge.Served
        do {
            answer = try await edge.document(format.fileName.text, of: app)
        } catch {
            return .failure(Mismatch(Finding.bad("edge", error, "").detail))
        }
        do {
            let served = try verified(answer, format, keys)
            if let served, isNew(served) { return .success((served, answer.body)) }
            return .failure(Mismatch(of: served?.position))
        } catch {
            // A key may be younger than the answer.
            known = nil
            return .failure(Mismatch("it serves what phones refuse. \(error)", pause: .seconds(1)))
        }
    }

    /// The app's own: what another app's key has signed, its phones refuse.
    private func trustedKeys(_ known: TrustedKeys?) async throws -> TrustedKeys {
        if let known { return known }
        return TrustedKeys(try await client.call(Endpoints.listKeys).keys.filter { $0.app == app })
    }

    /// What is served, if it is this app's.
    private func verified(
        _ served: PublicEdge.Served,
        _ format: WireFormat,
        _ keys: TrustedKeys
    ) throws -> ServedProof? {
        let verified = try served.signature().verify(served.body, keys: keys)
        guard let stamp = try format.stamp(verified.body), stamp.app == app else { return nil }
        return ServedProof(
            position: stamp.issue.position,
            sequence: stamp.issue.sequence,
            keyID: verified.signature.keyID,
            verifiedAt: Instant(Date.now)
        )
    }
}

extension WireFormat {
    fileprivate var place: String { platform.map { "On \($0.name)" } ?? "In \(clients)" }
}

extension FieldHistoryAnswer.Write {
    /// Who took back what stood there before.
    fileprivate var cause: String {
        origin.change.map { "overwritten by event \(event), change \($0)" }
            ?? "rolled back by event \(event)"
    }
}

/// Why phones are not served yet what is waited for, and when to look again.
private struct Mismatch: Error {
    let sentence: String
    let pause: Duration

    init(_ sentence: String, pause: Duration = .milliseconds(100)) {
        (self.sentence, self.pause) = (sentence, pause)
    }

    /// Numbers that a log had given out before an operator gave it up are published by no other.
    init(ofLost sequence: SnapshotSequence) {
        self.init(
            "phones are served snapshot \(sequence) of the log that was given up; nothing is"
                + " published until event \(sequence).",
            pause: .seconds(1)
        )
    }

    init(of error: any Error, _ sentence: String) {
        let reason = Finding.bad("service", error, "").detail
        self.init("\(sentence) \(reason)", pause: .seconds(1))
    }

    init(of served: Position?) {
        self.init(served.map { "it serves event \($0)." } ?? "it serves another app's document.")
    }
}

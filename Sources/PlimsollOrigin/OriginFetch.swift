import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge

/// Fetches what an origin has told of, by its digests and several at once.
struct OriginFetch {
    let address: ServiceAddress
    let transport: Transport
    let loader: SnapshotLoader

    /// More than a snapshot has, and less than would hurt.
    private static let bytesMaximum = 64 << 20
    /// At once: more than nearly all snapshots have new.
    private static let fetchesMaximum = 6

    /// Takes what is known already, by its digest.
    func take(
        _ notice: SnapshotNotice,
        knowing known: [ContentDigest: [UInt8]]
    ) async throws -> FetchOutcome {
        let served = await loader.offered(of: notice.app)
        // Of several origins the quickest was first.
        if let served, served.sequence > notice.sequence { return .served }
        if let served, served.manifest.digest == notice.manifest,
            served.signatures.digest == notice.signatures
        {
            guard let proof = notice.proof, proof != served.proof?.digest else { return .served }
            let bytes = if let known = known[proof] { known } else { try await file(proof) }
            return await loader.load(proof: bytes, of: notice.app) ? .served : .refused
        }
        var bytes = known
        for file in served?.files ?? [] { bytes[file.digest] = file.body }
        bytes = try await files(of: notice, knowing: bytes)
        switch await loader.load(notice.snapshot(of: bytes)) {
        case .loaded, .unchanged, .proven: return .served
        case .refused(.unwitnessed): return .waiting(bytes)
        case .absent, .refused: return .refused
        }
    }

    private func files(
        of notice: SnapshotNotice,
        knowing known: [ContentDigest: [UInt8]]
    ) async throws -> [ContentDigest: [UInt8]] {
        let digests = notice.digests
        var found = known.filter { digests.contains($0.key) }
        var missing = Array(digests.subtracting(found.keys))[...]
        var size = found.values.reduce(0) { $0 + $1.count }
        try await withThrowingTaskGroup { group in
            for digest in missing.prefix(Self.fetchesMaximum) {
                group.addTask(name: "file") { (digest, try await file(digest)) }
            }
            missing = missing.dropFirst(Self.fetchesMaximum)
            for try await (digest, body) in group {
                size += body.count
                guard size <= Self.bytesMaximum else { throw OriginFault.tooMuch(address.text) }
                found[digest] = body
                if let next = missing.popFirst() {
                    group.addTask(name: "file") { (next, try await file(next)) }
                }
            }
        }
        return found
    }

    private func file(_ digest: ContentDigest) async throws -> [UInt8] {
        let url = address.url("/origin/digests/\(digest)")
        let answer = try await transport.send(WebRequest(.get, url))
        guard answer.status == 200 else { throw OriginFault.answered(answer.status, url) }
        guard ContentDigest(of: answer.body) == digest else { throw OriginFault.otherBytes(url) }
        return answer.body
    }
}

extension SnapshotNotice {
    fileprivate func snapshot(of bytes: [ContentDigest: [UInt8]]) -> FetchedSnapshot {
        var bodies: [FileName: [UInt8]] = [:]
        for document in documents { bodies[document.name] = bytes[document.digest] }
        return FetchedSnapshot(
            of: app,
            manifest: bytes[manifest] ?? [],
            signatures: bytes[signatures] ?? [],
            bodies: bodies,
            proof: proof.flatMap { bytes[$0] }
        )
    }
}

/// What is wrong with an origin's answers.
enum OriginFault: Error, Equatable, CustomStringConvertible {
    case answered(Int, String)
    /// It answers a list, and tells nothing by itself.
    case lists
    case otherBytes(String)
    case tooMuch(String)
    case unreadable(String)
    case ended(String)

    var description: String {
        switch self {
        case .answered(let status, let url): "\(url) answered \(status)."
        case .lists: "It answers a list, and tells nothing by itself."
        case .otherBytes(let url): "\(url) has other bytes than its digest says."
        case .tooMuch(let url): "A snapshot at \(url) has more bytes than a snapshot may have."
        case .unreadable(let url): "\(url) answers what no origin says."
        case .ended(let url): "\(url) ended its answer."
        }
    }
}

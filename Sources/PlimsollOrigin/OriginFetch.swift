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

    /// Whether it is served now, or something newer; and what was fetched where it is not.
    ///
    /// Takes what is known already, by its digest.
    func take(
        _ notice: SnapshotNotice,
        knowing known: [ContentDigest: [UInt8]]
    ) async throws -> (isServed: Bool, fetched: [ContentDigest: [UInt8]]) {
        let served = await loader.offered(of: notice.app)
        // Of several origins the quickest was first.
        if let served, served.sequence > notice.sequence { return (true, [:]) }
        if let served, served.manifest.digest == notice.manifest,
            served.signatures.digest == notice.signatures
        {
            guard let proof = notice.proof, proof != served.proof?.digest else {
                return (true, [:])
            }
            let bytes = if let known = known[proof] { known } else { try await file(proof) }
            return (await loader.load(proof: bytes, of: notice.app), [:])
        }
        var bytes = known
        for file in served?.files ?? [] { bytes[file.digest] = file.body }
        bytes = try await files(of: notice, knowing: bytes)
        let isServed = await loader.load(notice.snapshot(of: bytes)).isServed
        return (isServed, isServed ? [:] : bytes)
    }

    private func files(
        of notice: SnapshotNotice,
        knowing known: [ContentDigest: [UInt8]]
    ) async throws -> [ContentDigest: [UInt8]] {
        try await withThrowingTaskGroup { group in
            for digest in notice.digests where known[digest] == nil {
                group.addTask(name: "file") { (digest, try await file(digest)) }
            }
            var (found, count) = ([ContentDigest: [UInt8]](), 0)
            for digest in notice.digests { found[digest] = known[digest] }
            for try await (digest, body) in group {
                count += body.count
                guard count <= Self.bytesMaximum else { throw OriginFault.tooMuch(address.text) }
                found[digest] = body
            }
            return found
        }
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

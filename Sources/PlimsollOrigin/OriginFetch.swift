import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge

/// Fetches what an origin has told of, by its digests and all at once.
struct OriginFetch {
    let address: ServiceAddress
    let transport: Transport
    let loader: SnapshotLoader

    /// Whether it is served now, or something newer.
    func take(_ notice: SnapshotNotice) async throws -> Bool {
        let served = await loader.offered(of: notice.app)
        // Of several origins the quickest was first.
        if let served, served.sequence > notice.sequence { return true }
        guard let served, served.manifest.digest == notice.manifest else {
            return try await loader.load(snapshot(notice, reusing: served)).isServed
        }
        guard let proof = notice.proof, proof != served.proof?.digest else { return true }
        return try await loader.load(proof: file(proof), of: notice.app)
    }

    private func snapshot(
        _ notice: SnapshotNotice,
        reusing served: OfferedSnapshot?
    ) async throws -> FetchedSnapshot {
        var known: [ContentDigest: [UInt8]] = [:]
        for file in served?.files ?? [] { known[file.digest] = file.body }
        let wanted = Set(
            [notice.manifest, notice.signatures] + notice.documents.map(\.digest)
                + (notice.proof.map { [$0] } ?? [])
        ).subtracting(known.keys)
        try await withThrowingTaskGroup { group in
            for digest in wanted {
                group.addTask(name: "file") { (digest, try await file(digest)) }
            }
            for try await (digest, body) in group { known[digest] = body }
        }
        var bodies: [FileName: [UInt8]] = [:]
        for document in notice.documents { bodies[document.name] = known[document.digest] }
        return FetchedSnapshot(
            of: notice.app,
            manifest: known[notice.manifest] ?? [],
            signatures: known[notice.signatures] ?? [],
            bodies: bodies,
            proof: notice.proof.flatMap { known[$0] }
        )
    }

    private func file(_ digest: ContentDigest) async throws -> [UInt8] {
        let url = address.url("/origin/digests/\(digest)")
        let answer = try await transport.send(WebRequest(.get, url))
        guard answer.status == 200 else { throw OriginFault.answered(answer.status, url) }
        guard ContentDigest(of: answer.body) == digest else { throw OriginFault.otherBytes(url) }
        return answer.body
    }
}

/// What is wrong with an origin's answers.
enum OriginFault: Error, Equatable, CustomStringConvertible {
    case answered(Int, String)
    case otherBytes(String)
    case unreadable(String)
    case ended(String)

    var description: String {
        switch self {
        case .answered(let status, let url): "\(url) answered \(status)."
        case .otherBytes(let url): "\(url) has other bytes than its digest says."
        case .unreadable(let url): "\(url) answers what no origin says."
        case .ended(let url): "\(url) ended its answer."
        }
    }
}

import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollMarketplace
import PlimsollSystem

/// Brings one file of a package, over several attempts and lives of the process if need be.
///
/// What is there already is read again and held against the digests; the rest is asked for from that
/// place on. A piece that is wrong is fetched again, and an address that has expired asked for anew.
struct AssetDownload {
    let client: ConnectClient
    let transport: Transport
    let clock: IngestionClock
    let asset: PackageAsset
    let resource: ConnectClient.Resource
    /// Called with the number of bytes that are right so far.
    let progress: @Sendable (Int64) -> Void

    private static let readSize = 1 << 20
    private static let wrongMaximum = 3
    private static let redirectsMaximum = 3
    /// An address that ends so soon is not begun with.
    private static let reserve = Duration.seconds(30)

    /// Writes the file whole, from where it was left.
    func run(into path: Path, from known: ConnectClient.Location) async throws {
        let file = try ResumedFile(path)
        var state = State(check: try resume(file), location: known)
        progress(state.check.size)
        while !state.check.isWhole {
            if state.location.expires(by: clock.now().advanced(by: Self.reserve)) {
                state.location = try await client.location(of: resource)
            }
            let before = state.check.size
            let end = try await attempt(file, &state)
            if state.check.size > before { state.pauses.reset() }
            if state.check.isWhole { break }
            guard let pause = state.pauses.next(wanted: end.wanted) else {
                throw IngestionFailure.incomplete(asset.path)
            }
            if end.isExpired { state.location = try await client.location(of: resource) }
            if state.check.size == before || end.wanted != nil { try await clock.sleep(pause) }
        }
        try file.synchronize()
    }

    private struct State {
        var check: ChunkCheck
        var location: ConnectClient.Location
        var pauses = Pauses()
        var wrong: [Int: Int] = [:]
    }

    /// Why the bytes came to an end.
    private struct End {
        var isExpired = false
        var wanted: Duration?
    }

    /// What is whole of the file, as far as it was written; what lies behind is dropped.
    private func resume(_ file: ResumedFile) throws -> ChunkCheck {
        var check = ChunkCheck(asset)
        do {
            while true {
                let bytes = try file.read(upTo: Self.readSize)
                guard !bytes.isEmpty else { break }
                try check.take(bytes)
            }
        } catch is ChunkCheck.Fault {
            check.returnToStart()
        }
        if !check.isWhole { check.returnToStart() }
        try file.cut(at: check.size)
        return check
    }

    private func attempt(_ file: ResumedFile, _ state: inout State) async throws -> End {
        do {
            return try await stream(file, &state)
        } catch ChunkCheck.Fault.wrongDigest(let chunk, let start) {
            state.wrong[chunk, default: 0] += 1
            guard state.wrong[chunk, default: 0] < Self.wrongMaximum else {
                throw IngestionFailure.wrongDigest(asset.path, chunk: chunk)
            }
            try file.cut(at: start)
            return End()
        } catch ChunkCheck.Fault.tooLong {
            throw IngestionFailure.tooLong(asset.path)
        } catch let error as AdminError where error.isPassing {
            return End()
        }
    }

    /// Takes what one request brings; a redirect is followed, since nothing secret goes along.
    private func stream(_ file: ResumedFile, _ state: inout State) async throws -> End {
        var url = state.location.url
        for _ in 0...Self.redirectsMaximum {
            var check = state.check
            defer { state.check = check }
            let range = "bytes=\(check.size)-"
            let headers = check.size > 0 ? [(name: "range", value: range)] : []
            let head = try await transport.pieces(
                of: WebRequest(.get, url, headers: headers),
                after: { head in try begins(head, &check, file) }
            ) { bytes in
                try file.append(bytes)
                try check.take(bytes)
                progress(check.size)
            }
            switch head.status {
            case 200, 206: return End()
            case 301, 302, 303, 307, 308: url = try head.target(from: url)
            case 400, 401, 403, 404, 410: return End(isExpired: true)
            case 416:
                check = ChunkCheck(asset)
                try file.cut(at: 0)
                return End()
            case _ where head.isBusy: return End(wanted: head.retryAfter ?? .zero)
            default: throw IngestionFailure.answered(status: head.status, asset.path)
            }
        }
        throw IngestionFailure.answered(status: 310, asset.path)
    }

    /// Whether the body goes on where the file ends; where it is the whole, the file begins anew.
    private func begins(
        _ head: WebAnswer,
        _ check: inout ChunkCheck,
        _ file: ResumedFile
    ) throws -> Bool {
        switch head.status {
        case 206:
            let place = head.header("content-range") ?? ""
            guard place.hasPrefix("bytes \(check.size)-") else {
                throw IngestionFailure.notUnderstood(asset.path)
            }
            return true
        case 200:
            if check.size > 0 {
                check = ChunkCheck(asset)
                try file.cut(at: 0)
            }
            return true
        default: return false
        }
    }
}

extension ConnectClient.Location {
    fileprivate func expires(by instant: Instant) -> Bool {
        expiresAt.map { $0 <= instant } ?? false
    }
}

extension WebAnswer {
    /// Where a redirect leads; one that gives encryption up leads nowhere.
    func target(from url: String) throws -> String {
        guard let text = header("location"), let base = URL(string: url),
            let target = URL(string: text, relativeTo: base)?.absoluteURL,
            target.scheme == "https" || target.scheme == base.scheme
        else { throw IngestionFailure.answered(status: status, "a file") }
        return target.absoluteString
    }
}

import ArgumentParser
import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollLog
import PlimsollServer

/// Checkpoints that were kept elsewhere, and the key that has to have signed them.
struct OutsideOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A checkpoint that was kept elsewhere; give it again for more.",
            valueName: "file or address"
        )
    )
    var checkpoint: [String] = []
    @Option(
        help: ArgumentHelp("The log's verifier key, in a file or as text.", valueName: "key")
    )
    var logKey: String?

    /// Lends the checkpoints, and what is published beside them, for as long as the body runs; the
    /// key is read even where there is none.
    ///
    /// A key that would check nothing is refused: who gives one means to be protected by it.
    func withOutside<Answer: Sendable>(
        checkingPublished: Bool,
        _ body: ([OutsideCheckpoint], VerifierKey?) async throws -> Answer
    ) async throws -> Answer {
        let trusted = try logKey.map(logVerifierKey)
        guard !checkpoint.isEmpty else {
            guard trusted == nil || checkingPublished else {
                throw Failure(
                    .usage,
                    "There is no checkpoint here that --log-key could check.",
                    next: "--checkpoint, with one that you kept elsewhere"
                )
            }
            return try await body([], trusted)
        }
        guard let key = trusted else {
            throw Failure(
                .usage,
                "A checkpoint can only be checked with the log's verifier key.",
                next: "--log-key, with the file log/key that you trust"
            )
        }
        return try await Transport.with { transport in
            var outside: [OutsideCheckpoint] = []
            for place in checkpoint {
                outside.append(try await outsideCheckpoint(at: place, key, transport))
            }
            return try await body(outside, key)
        }
    }

    private func outsideCheckpoint(
        at place: String,
        _ key: VerifierKey,
        _ transport: Transport
    ) async throws -> OutsideCheckpoint {
        let name = place.split(separator: "/").last.map(String.init) ?? place
        let shown = place.contains("://") ? ServiceAddress.withoutSecrets(place) : place
        let folder = String(place.dropLast(name.count))
        // A copy under another name lies alone; `checkpoint` lies above its tiles.
        let published = PublishedLocation(folder.isEmpty ? "." : folder, transport)
        guard let bytes = try await published.read(name) else {
            throw Failure(.failed, "There is no checkpoint at \(shown).")
        }
        do throws(LogCheckFailure) {
            return try OutsideCheckpoint(
                parsing: bytes,
                from: shown,
                trusting: key,
                published: name == "checkpoint" ? published.read : nil
            )
        } catch {
            throw Failure(.failed, legible(error.description))
        }
    }
}

/// Reads the key of a log; one of a witness is none.
func logVerifierKey(_ text: String) throws -> VerifierKey {
    let key = try verifierKey(text)
    guard key.kind == .note else {
        throw Failure(.failed, "\(text) is the key of a witness, and a log's is needed.")
    }
    return key
}

/// Reads a verifier key that a person gave: the key itself, or a file that has it.
func verifierKey(_ text: String) throws -> VerifierKey {
    if let key = try? VerifierKey(parsing: text) { return key }
    let bytes = try contents(of: text, upTo: 4096)
    let line = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
    do throws(KeyTextError) {
        return try VerifierKey(parsing: line)
    } catch {
        throw Failure(.failed, "\(text) is no verifier key of a log.", detail: "\(error)")
    }
}

/// Where published files are: a folder, or an address that ends before their names.
struct PublishedLocation: Sendable {
    let isLocal: Bool
    let read: PublicReading
    private let place: String

    init(_ place: String, _ transport: Transport, token: String? = nil) {
        let base = place.hasSuffix("/") ? String(place.dropLast()) : place
        self.place = base
        isLocal = !place.contains("://")
        guard !isLocal else {
            let folder = absolutePath(base.isEmpty ? "/" : base)
            read = publicReading(ofFolder: folder)
            return
        }
        read = { name in
            let shown = ServiceAddress.withoutSecrets("\(base)/\(name)")
            let authorization = token.map { [("Authorization", "Bearer \($0)")] } ?? []
            let answer = try await transport.send(
                WebRequest(.get, "\(base)/\(name)", headers: authorization + Self.uncached)
            )
            switch answer.status {
            case 200: return answer.body
            case 404: return nil
            case 403:
                throw Failure(
                    .failed,
                    "\(shown) is for auditors.",
                    detail: "Your token has no role that may read it; auditor is needed.",
                    next: "plimsoll whoami"
                )
            default:
                throw Failure(
                    answer.status == 401 ? .notAuthenticated : .failed,
                    "\(shown) answered \(answer.status); 200 is needed."
                )
            }
        }
    }

    /// A cache keeps each file for a time of its own, and so files of two publications.
    private static let uncached = [("Cache-Control", "no-cache")]

    /// The app whose snapshot has to be here, where the place says so.
    var app: AppSlug? {
        let parts = place.split(separator: "/").map(String.init)
        guard ["distribution", "current"].contains(parts.dropLast().last) else { return nil }
        return parts.last.flatMap { AppSlug($0) }
    }

    /// Where the log lies that goes with a snapshot here: in the folder `log` of the same export,
    /// or beside the app's documents at an edge.
    var log: String {
        var parts = place.split(separator: "/", omittingEmptySubsequences: false)
        if isLocal {
            let real = URL(fileURLWithPath: absolutePath(place)).resolvingSymlinksInPath().path
            parts = real.split(separator: "/", omittingEmptySubsequences: false)
        }
        let isSnapshot = parts.count > 3 && parts[parts.count - 3] == "snapshots"
        let isCurrent = parts.count > 2 && parts[parts.count - 2] == "current"
        // …/harbour/snapshots/57 at an edge.
        let isKept = !isLocal && parts.count > 3 && parts[parts.count - 2] == "snapshots"
        return (parts.dropLast(isSnapshot || isKept ? 3 : isCurrent ? 2 : 1) + ["log"])
            .joined(separator: "/")
    }
}

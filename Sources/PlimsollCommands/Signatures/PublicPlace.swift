import Foundation
import PlimsollAPI
import PlimsollServer

/// Where published files are: a folder, or an address that ends before their names.
struct PublicPlace: Sendable {
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
                    "\(base)/\(name) is for auditors.",
                    detail: "Your token has no role that may read it; auditor is needed.",
                    next: "plimsoll whoami"
                )
            default:
                throw Failure(
                    answer.status == 401 ? .notAuthenticated : .failed,
                    "\(base)/\(name) answered \(answer.status); 200 is needed."
                )
            }
        }
    }

    /// A cache keeps each file for a time of its own, and so files of two publications.
    private static let uncached = [("Cache-Control", "no-cache")]

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
        return (parts.dropLast(isSnapshot ? 3 : isCurrent ? 2 : 1) + ["log"])
            .joined(separator: "/")
    }
}

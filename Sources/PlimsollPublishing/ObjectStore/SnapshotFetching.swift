import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge

extension FetchedSnapshot {
    /// More than a snapshot has, and less than would hurt.
    private static let filesMaximum = 64

    /// Fetches what a manifest names, whose names are read before anybody has checked it: whatever
    /// comes of that is verified by whoever serves it.
    init(
        of app: AppSlug,
        manifest: [UInt8],
        fetching file: (_ name: String) async throws -> [UInt8]?
    ) async throws {
        guard let named = try? Manifest(parsing: manifest), named.files.count <= Self.filesMaximum
        else { throw OriginDoubt("The manifest of \(app) cannot be read.") }
        guard let signatures = try await file(Manifest.signaturesFileName) else {
            throw OriginDoubt("The file \(Manifest.signaturesFileName) of \(app) is missing.")
        }
        var bodies: [FileName: [UInt8]] = [:]
        for name in named.files.map(\.name) { bodies[name] = try await file(name.text) }
        self.init(of: app, manifest: manifest, signatures: signatures, bodies: bodies)
    }

    /// Whether every body is the one that the manifest names.
    var isOfOneMaking: Bool {
        guard let named = try? Manifest(parsing: manifest) else { return false }
        return named.files.allSatisfy { file in
            bodies[file.name].map { ContentDigest(of: $0) == file.digest } ?? false
        }
    }
}

import FoundationEssentials
import PlimsollAPI
import PlimsollDomain
import PlimsollMarketplace
package import PlimsollPublishing
import PlimsollSystem

/// An object store that packages are brought to, so that a CDN before it serves them.
///
/// Keys are those of the folder, `{version}/{revision}/…`, below the prefix of the store's address.
/// The manifest is written last: who sees it finds everything else. Nothing is written over.
package struct PackageStore: Sendable {
    private let place: StorePlace
    private let pause: @Sendable (Duration) async throws -> Void

    private static let cacheControl = "public, max-age=31536000, immutable"
    private static let bytes = "application/octet-stream"
    /// Which manifest a file belongs to, as the store keeps it beside the bytes.
    private static let mark = "x-amz-meta-manifest"
    /// A part of some megabytes may take its time.
    private static let limits = Transport.Limits(
        connectTimeout: .seconds(5),
        answerTimeout: .seconds(120),
        bytesMaximum: 1 << 20
    )

    package init(
        _ place: StorePlace,
        pause: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) {
        (self.place, self.pause) = (place, pause)
    }

    /// Returns once everything of a package that is whole in its folder is whole in the store.
    ///
    /// It may be run again after any failure, and passes over what is there.
    package func take(
        _ package: IngestedPackage,
        from folder: PackageFolder,
        progress: @escaping @Sendable (IngestionProgress) -> Void = { _ in }
    ) async throws {
        let manifest = package.manifest
        let paths = manifest.assets.map(\.path) + [PackagePlace.signature, PackagePlace.manifest]
        let total = manifest.assets.reduce(Int64(0)) { $0 + $1.size }
        try await ObjectStore.with(place, limits: Self.limits, now: { Instant(Date.now) }) {
            store in
            var done: Int64 = 0
            for path in paths {
                let name = PackageFileName(path, of: manifest.place)
                guard let file = try ServedFile(name.names, below: folder.root) else {
                    throw IngestionFailure.incomplete(path)
                }
                let before = done
                try await lay(file, name, package, store) { size in
                    progress(IngestionProgress(done: before + size, total: total, path: path))
                }
                done += file.size
            }
        }
    }

    private func lay(
        _ file: ServedFile,
        _ name: PackageFileName,
        _ package: IngestedPackage,
        _ store: ObjectStore,
        progress: (Int64) -> Void
    ) async throws {
        let key = name.place.name + name.path
        let isThere = try await isThere(key, file, package, store)
        guard !isThere else { return }
        let object = LargeObject(
            size: file.size,
            mediaType: name.path == PackagePlace.manifest ? "application/json" : Self.bytes,
            cacheControl: Self.cacheControl,
            metadata: [(name: Self.mark, value: package.digest.hex)]
        ) { place, count in
            guard let bytes = file.bytes(at: place, upTo: count), bytes.count == count else {
                throw IngestionFailure.incomplete(name.path)
            }
            return bytes
        }
        do {
            let isWritten = try await store.put(
                object,
                key,
                pause: { try await pause(.seconds(1 << $0)) },
                progress: progress
            )
            if isWritten { return }
        } catch let failure as StoreFailure where failure.leavesOutcomeOpen {
            // What was done shows when it is looked at.
            guard try await self.isThere(key, file, package, store) else { throw failure }
            return
        }
        // Another instance was quicker, with the same or with something else.
        guard try await self.isThere(key, file, package, store) else {
            throw IngestionFailure.inTheWay(key)
        }
    }

    /// Whether the store has the file already; throws where it has another one there.
    private func isThere(
        _ key: String,
        _ file: ServedFile,
        _ package: IngestedPackage,
        _ store: ObjectStore
    ) async throws -> Bool {
        guard let known = try await store.head(key) else { return false }
        guard known.header(Self.mark) == package.digest.hex,
            known.header("content-length") == "\(file.size)"
        else { throw IngestionFailure.inTheWay(key) }
        return true
    }
}

package import PlimsollAPI
import PlimsollDocuments
package import PlimsollDomain
import PlimsollJSON
package import PlimsollMarketplace
import PlimsollSystem

/// What has come of fetching a package: it lies whole in its folder.
package struct IngestedPackage: Equatable, Sendable {
    package let manifest: PackageManifest
    package let digest: ManifestDigest
    /// Below the folder of all packages, with a slash behind: `{version}/{revision}/`.
    package let name: String
    /// Whether the key of every variant is there.
    package let isComplete: Bool

    /// What becomes known of it, where devices find the folder at an address.
    package func package(id: PackageID?, below address: EndpointURL) -> Package? {
        let text = address.text + (address.text.hasSuffix("/") ? "" : "/") + name
        return EndpointURL(text).map {
            manifest.package(id: id, at: $0, digest: digest, isComplete: isComplete)
        }
    }
}

/// How far a package has come.
package struct IngestionProgress: Equatable, Sendable {
    package let done: Int64
    package let total: Int64
    /// Which file is on its way.
    package let path: String
}

/// Fetches a version of a package from App Store Connect and lays it out byte for byte.
package struct PackageIngestion: Sendable {
    private let client: ConnectClient
    private let transport: Transport
    private let folder: PackageFolder
    private let clock: IngestionClock

    package init(
        _ client: ConnectClient,
        over transport: Transport,
        into folder: PackageFolder,
        clock: IngestionClock
    ) {
        (self.client, self.transport, self.folder, self.clock) = (client, transport, folder, clock)
    }

    /// Returns once the package lies where it belongs, and would after a power cut.
    ///
    /// It may be run again after any failure, and goes on where that one was.
    package func run(
        _ version: PackageID,
        of items: Set<AppleItemID>?,
        progress: @escaping @Sendable (IngestionProgress) -> Void = { _ in }
    ) async throws -> IngestedPackage {
        let location = try await client.location(of: .version(version))
        let archive: PackageArchive
        let manifest: PackageManifest
        do {
            archive = try PackageArchive(try await client.bytes(at: location))
            manifest = try PackageManifest(parsing: archive.manifest)
        } catch let fault as ArchiveFault {
            throw IngestionFailure.archive(fault)
        } catch let issues as JSONIssues {
            throw IngestionFailure.manifest(issues.description)
        }
        if let items, !items.contains(manifest.item) {
            throw IngestionFailure.anotherApp(manifest.item)
        }
        try folder.incoming.createFolder()
        try folder.keys(of: manifest).parent.createFolder(permissions: .folderOfOwner)
        let lock = try await FileLock.acquire(folder.lock(of: manifest), patience: .zero)
        // What cannot be taken away costs room, and is no reason to fetch nothing.
        try? folder.removeAbandoned(at: clock.now())
        let keys = try await lay(archive, manifest, progress)
        _ = consume lock
        return IngestedPackage(
            manifest: manifest,
            digest: ManifestDigest(of: archive.manifest),
            name: manifest.place.name,
            isComplete: manifest.variants.allSatisfy { keys[$0.id.text] != nil }
        )
    }

    /// Answers the keys of its files.
    private func lay(
        _ archive: PackageArchive,
        _ manifest: PackageManifest,
        _ progress: @escaping @Sendable (IngestionProgress) -> Void
    ) async throws -> JSONObject {
        let place = folder.place(of: manifest)
        let isThere = try place.isFolder()
        if isThere {
            let known = try (place / PackagePlace.manifest)
                .read(sizeMaximum: PackageManifest.limits.sizeMaximum)
            guard known == archive.manifest else {
                throw IngestionFailure.inTheWay(place.description)
            }
        }
        let incoming = folder.incoming(of: manifest)
        if !isThere { try begin(incoming, archive) }
        var keys = isThere ? try knownKeys(of: manifest) : JSONObject()
        let total = manifest.assets.reduce(Int64(0)) { $0 + $1.size }
        var done: Int64 = 0
        for asset in manifest.assets {
            let isVariant = asset.path.hasPrefix("variant/")
            if isThere, !isVariant, keys[asset.id.text] != nil { continue }
            let resource: ConnectClient.Resource =
                isVariant ? .variant(asset.id) : .delta(asset.id)
            let location: ConnectClient.Location
            do {
                location = try await client.location(of: resource)
            } catch is IngestionFailure where isThere && !isVariant {
                // The file is there, and its key is asked for again next time.
                continue
            }
            if let key = location.keyBlob { keys[asset.id.text] = .string(key) }
            guard !isThere else { continue }
            let before = done
            try await fetch(asset, resource, location, incoming, manifest) { size in
                progress(
                    IngestionProgress(done: before + size, total: total, path: asset.path)
                )
            }
            done += asset.size
        }
        try folder.keys(of: manifest).writeDurably(keys.canonicalBytes(), permissions: .ownerOnly)
        if !isThere { try finish(incoming, archive, at: place) }
        return keys
    }

    /// What was said before of a package that is there: a key that is not said again is as good.
    private func knownKeys(of manifest: PackageManifest) throws(FileError) -> JSONObject {
        let limits = JSONLimits(sizeMaximum: PackageManifest.sizeMaximum)
        let bytes = try folder.keys(of: manifest).readIfPresent(sizeMaximum: limits.sizeMaximum)
        return bytes.flatMap { try? JSONValue(parsing: $0, limits: limits) }?.object ?? [:]
    }

    /// What was begun with another manifest is of no use.
    private func begin(_ incoming: Path, _ archive: PackageArchive) throws {
        let name = PackagePlace.manifest
        let known = try (incoming / name)
            .readIfPresent(sizeMaximum: PackageManifest.limits.sizeMaximum)
        if known != archive.manifest { try incoming.removeTree() }
        for kind in ["variant", "delta"] { try (incoming / kind).createFolder() }
        try (incoming / name).writeDurably(archive.manifest)
    }

    private func fetch(
        _ asset: PackageAsset,
        _ resource: ConnectClient.Resource,
        _ location: ConnectClient.Location,
        _ incoming: Path,
        _ manifest: PackageManifest,
        _ progress: @escaping @Sendable (Int64) -> Void
    ) async throws {
        let path = incoming / asset
        if try path.status() != nil { return progress(asset.size) }
        if try reuse(asset, as: path, of: manifest) { return progress(asset.size) }
        let part = path.parent / "\(asset.id).part"
        let download = AssetDownload(
            client: client,
            transport: transport,
            clock: clock,
            asset: asset,
            resource: resource,
            progress: progress
        )
        try await download.run(into: part, from: location)
        try part.rename(to: path)
        try path.parent.synchronizeFolder()
    }

    /// A file of an earlier revision that has the same digests gets a second name.
    private func reuse(
        _ asset: PackageAsset,
        as path: Path,
        of manifest: PackageManifest
    ) throws -> Bool {
        for earlier in try folder.earlier(than: manifest) {
            let file = earlier / asset
            guard let size = try file.status()?.size, size == asset.size, try isRight(file, asset)
            else { continue }
            try file.giveSecondName(path)
            try path.parent.synchronizeFolder()
            return true
        }
        return false
    }

    private func isRight(_ path: Path, _ asset: PackageAsset) throws -> Bool {
        let file = try ResumedFile(path)
        var check = ChunkCheck(asset)
        do {
            while true {
                let bytes = try file.read(upTo: 1 << 20)
                guard !bytes.isEmpty else { return check.isWhole }
                try check.take(bytes)
            }
        } catch is ChunkCheck.Fault {
            return false
        }
    }

    /// Gives the folder its name, in one step, once all that is in it would survive a power cut.
    private func finish(_ incoming: Path, _ archive: PackageArchive, at place: Path) throws {
        try (incoming / PackagePlace.signature).writeDurably(archive.signature)
        for kind in ["variant", "delta"] { try (incoming / kind).synchronizeFolder() }
        try incoming.synchronizeFolder()
        try FaultPoint.reached("ingestion.whole")
        try place.parent.createFolder()
        try incoming.rename(to: place)
        try place.parent.synchronizeFolder()
        try incoming.parent.synchronizeFolder()
    }
}

extension ManifestDigest {
    /// The digest of a manifest's bytes.
    package init(of bytes: [UInt8]) {
        guard let digest = ManifestDigest(hex: ContentDigest(of: bytes).hex) else {
            preconditionFailure("SHA-256 has 64 hexadecimal digits")
        }
        self = digest
    }
}

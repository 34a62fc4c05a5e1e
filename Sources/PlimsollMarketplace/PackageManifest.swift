package import PlimsollDomain
package import PlimsollJSON

/// The manifest of a package, as Apple signs it: which app and version it is, and what files belong
/// to it.
///
/// Its bytes are signed, so they are handed on as they came; this is only what is read from them.
/// Apple adds members now and then, so those that are not known are passed over.
package struct PackageManifest: Equatable, Sendable {
    package let item: AppleItemID
    package let version: AppleVersionID
    package let bundle: BundleID
    package let shortVersion: Label
    package let bundleVersion: Label
    /// The oldest system that it runs on, for every platform that it names.
    package let minimumSystems: [PackagePlatform: AppleVersion]
    /// How often Apple has made it anew; the first time is 1.
    package let revision: Int64
    /// The app, for one group of devices each.
    package let variants: [PackageAsset]
    /// What leads from a variant of an earlier version to one of this; they come later than the rest.
    package let deltas: [PackageAsset]

    /// Every file beside the manifest and its signature.
    package var assets: [PackageAsset] { variants + deltas }

    /// A hundred times the largest that was seen.
    package static let sizeMaximum = 16 << 20
    package static let limits = JSONLimits(sizeMaximum: sizeMaximum)
    package static let schema = "1.0"
    package static let assetsMaximum = 5000
}

extension PackageManifest {
    /// Reads a manifest and says all that is wrong with it.
    package init(parsing bytes: [UInt8]) throws(JSONIssues) {
        var reader = try ObjectReader(parsing: bytes, limits: Self.limits)
        reader.isLenient = true
        _ = reader.optionalString("manifestSchemaVersion", needing: "“\(Self.schema)”") {
            $0 == Self.schema ? $0 : nil
        }
        let item = reader.string("appleItemId", needing: AppleItemID.grammar) { AppleItemID($0) }
        let version = reader.string("appleVersionId", needing: AppleVersionID.grammar) {
            AppleVersionID($0)
        }
        let bundle = reader.string("bundleId", needing: BundleID.grammar, BundleID.init)
        let shortVersion = reader.label("shortVersionString")
        let bundleVersion = reader.label("bundleVersion")
        let revision = reader.member(
            "distributionPackageRevision",
            needing: "a whole number from 1"
        ) { $0.integer.flatMap { $0 > 0 ? $0 : nil } }
        let systems = reader.minimumSystems()
        let variants = reader.assets("variants", in: "variant", details: "variantDetails")
        let deltas = reader.assets("deltas", in: "delta", details: "deltaDetails")
        if variants.isEmpty, reader.issues(.ignored).isEmpty {
            reader.refuse("variants", "There is no variant; a device would get nothing.")
        }
        reader.refuseRepeated(variants + deltas)
        self = try reader.finish(.ignored) {
            guard let item, let version, let bundle, let shortVersion, let bundleVersion,
                let revision, let systems
            else { return nil }
            return PackageManifest(
                item: item,
                version: version,
                bundle: bundle,
                shortVersion: shortVersion,
                bundleVersion: bundleVersion,
                minimumSystems: systems,
                revision: revision,
                variants: variants,
                deltas: deltas
            )
        }
    }

    /// What becomes known of the package that lies at an address with this manifest.
    package func package(
        id: PackageID?,
        at address: EndpointURL,
        digest: ManifestDigest,
        isComplete: Bool
    ) -> Package {
        Package(
            version: version,
            id: id,
            shortVersion: shortVersion,
            bundleVersion: bundleVersion,
            minimumSystems: minimumSystems,
            address: address,
            manifest: digest,
            revision: revision,
            isComplete: isComplete
        )
    }
}

/// A file of a package, and the digests that its bytes have to have.
package struct PackageAsset: Equatable, Sendable {
    /// What App Store Connect calls it.
    package let id: PackageID
    /// Where it lies in the package: `variant/{id}.ipa` or `delta/{id}.ipa`, and nowhere else.
    package let path: String
    package let size: Int64
    package let chunks: ChunkDigests

    /// Far more than a device has room for.
    package static let sizeMaximum: Int64 = 1 << 40
}

/// SHA-256 of each piece of a file; the last piece may be shorter than the others.
package struct ChunkDigests: Equatable, Sendable {
    package let chunkSize: Int64
    /// 64 lower-case hexadecimal digits each.
    package let digests: [String]

    /// How many pieces a file of a size has.
    package static func count(of size: Int64, by chunkSize: Int64) -> Int64 {
        size / chunkSize + (size % chunkSize == 0 ? 0 : 1)
    }
}

extension ObjectReader {
    fileprivate mutating func label(_ key: String) -> Label? {
        string(key, needing: "1 to \(Label.scalarsMaximum) characters in one line") {
            try? Label(validating: $0)
        }
    }

    /// Every platform needs the oldest system that the package runs on there.
    fileprivate mutating func minimumSystems() -> [PackagePlatform: AppleVersion]? {
        let platforms = strings("platforms", needing: PackagePlatform.grammar) {
            PackagePlatform($0)
        }
        guard let systems = object("minimumSystemVersions"), let platforms else { return nil }
        guard (1...Package.systemsMaximum).contains(platforms.count) else {
            refuse("platforms", "1 to \(Package.systemsMaximum) platforms are needed.")
            return nil
        }
        var minimum: [PackagePlatform: AppleVersion] = [:]
        for member in systems.members {
            guard let platform = PackagePlatform(member.key), platforms.contains(platform) else {
                continue
            }
            minimum[platform] = member.value.string.flatMap { AppleVersion($0) }
        }
        for platform in platforms where minimum[platform] == nil {
            refuse("minimumSystemVersions", "\(platform) is missing, or is no version of a system.")
        }
        return minimum
    }

    /// Files of a kind; a file's path follows from its id, so that none leads out of its folder.
    fileprivate mutating func assets(
        _ key: String,
        in folder: String,
        details: String
    ) -> [PackageAsset] {
        guard let list = optionalArray(key) else { return [] }
        guard list.count <= PackageManifest.assetsMaximum else {
            refuse(key, "There are \(list.count) files; at most \(PackageManifest.assetsMaximum).")
            return []
        }
        return objects(key, .ignored) { reader -> PackageAsset? in
            let id = reader.string("publicId", needing: PackageID.grammar, PackageID.init)
            let path = id.map { "\(folder)/\($0).ipa" }
            _ = reader.string("assetPath", needing: path ?? "\(folder)/{publicId}.ipa") {
                $0 == path ? $0 : nil
            }
            let content = reader.object(details) { $0.content() }
            guard let id, let path, let content else { return nil }
            return PackageAsset(id: id, path: path, size: content.size, chunks: content.chunks)
        } ?? []
    }

    /// The size of a file and the digests of its pieces.
    fileprivate mutating func content() -> (size: Int64, chunks: ChunkDigests)? {
        let size = member(
            "compressedSize",
            needing: "a whole number from 1 to \(PackageAsset.sizeMaximum)"
        ) { json in
            json.integer.flatMap { (1...PackageAsset.sizeMaximum).contains($0) ? $0 : nil }
        }
        let all = objects("hashes", .ignored) { $0.digests() }
        guard let size, let all else { return nil }
        guard let chunks = all.lazy.compactMap({ $0.chunks }).first else {
            refuse("hashes", "There are no digests by sha256; without one the file is not checked.")
            return nil
        }
        let count = ChunkDigests.count(of: size, by: chunks.chunkSize)
        guard Int64(chunks.digests.count) == count else {
            refuse("hashes", "There are \(chunks.digests.count) digests; \(count) are needed.")
            return nil
        }
        return (size, chunks)
    }

    /// The digests of one kind; those of the bytes as they are served stand before the others.
    private mutating func digests() -> HashBlock? {
        let algorithm = string("algorithm")
        guard algorithm == "sha256" else { return algorithm.map { _ in HashBlock(chunks: nil) } }
        let size = member("chunkSize", needing: "a whole number from 1") {
            $0.integer.flatMap { $0 > 0 ? $0 : nil }
        }
        var digests: [String] = []
        for key in ["encryptedChunkDigests", "unencryptedChunkDigests"]
        where digests.isEmpty && object[key] != nil {
            let list = strings(key, needing: ManifestDigest.grammar) {
                ManifestDigest(hex: $0)?.hex
            }
            guard let list else { return nil }
            digests = list
        }
        guard let size else { return nil }
        let chunks = ChunkDigests(chunkSize: size, digests: digests)
        return HashBlock(chunks: digests.isEmpty ? nil : chunks)
    }

    /// Two files of one name would be one on the disk.
    fileprivate mutating func refuseRepeated(_ assets: [PackageAsset]) {
        var seen: Set<String> = []
        for asset in assets where !seen.insert(asset.path.lowercased()).inserted {
            refuse("variants", "\(asset.path) is there twice.")
        }
    }
}

/// What a manifest says of the digests of a file by one algorithm; `nil` where it is not ours.
private struct HashBlock {
    let chunks: ChunkDigests?
}

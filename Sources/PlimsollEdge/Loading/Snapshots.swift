import PlimsollDocuments
import PlimsollDomain
import PlimsollMarketplace
import PlimsollSystem

/// Reads snapshots from an export folder, and lets through only what was verified.
struct SnapshotReader {
    private let export: Path

    init(_ export: Path) {
        self.export = export
    }

    private static let documentSizeMaximum = Manifest.fileSizeMaximum
    private static let manifestSizeMaximum = 1 << 20

    /// The apps that have a current snapshot, in the order of their names.
    func apps() throws(FileError) -> [AppSlug] {
        try (export / "current").entriesIfPresent().compactMap(AppSlug.init)
    }

    /// Which snapshot an app's link leads to; nil where there is no link.
    ///
    /// The text of the link is taken apart rather than followed: it can lead nowhere but to a
    /// snapshot of this app, and all files are then read from that one folder, whatever becomes
    /// of the link meanwhile.
    func currentSequence(of app: AppSlug) throws(LoadRefusal) -> SnapshotSequence? {
        let link = export / "current" / app.text
        let destination: String?
        do {
            destination = try link.symbolicLinkDestination()
            if destination == nil, try link.status() != nil {
                throw LoadRefusal.linkMalformed("itself")
            }
        } catch let error as FileError {
            throw .unreadable(error)
        } catch {
            throw .linkMalformed(link.string)
        }
        guard let destination else { return nil }
        let prefix = "../snapshots/\(app)/"
        let name = destination.dropFirst(prefix.count)
        guard
            destination.hasPrefix(prefix), let number = Int64(name), String(number) == name,
            let sequence = SnapshotSequence(rawValue: number)
        else { throw .linkMalformed(destination) }
        return sequence
    }

    /// Which folder a snapshot lies in; nil where there is none.
    func identity(
        _ sequence: SnapshotSequence,
        of app: AppSlug
    ) throws(LoadRefusal) -> FileIdentity? {
        do {
            return try folder(sequence, of: app).identity()
        } catch {
            throw .unreadable(error)
        }
    }

    func snapshot(
        _ sequence: SnapshotSequence,
        of app: AppSlug,
        keys: TrustedKeys
    ) throws(LoadRefusal) -> VerifiedSnapshot {
        let folder = folder(sequence, of: app)
        let bytes = try read(folder / Manifest.fileName, Self.manifestSizeMaximum)
        let signatures = try read(folder / Manifest.signaturesFileName, Self.manifestSizeMaximum)
        let verified = try trusted { () throws(VerificationRefusal) in
            try Manifest.verify(bytes, signatures: signatures, keys: keys, expectedApp: app)
        }
        let manifest = verified.manifest
        guard manifest.sequence == sequence else {
            throw .anotherSequence(found: manifest.sequence, expected: sequence)
        }
        var bodies: [FileName: [UInt8]] = [:]
        for file in manifest.files {
            bodies[file.name] = try read(folder / file.name.text, Self.documentSizeMaximum)
        }
        return try trusted { () throws(VerificationRefusal) in try verified.verify(bodies) }
    }

    /// The published keys; nil where there are none, or none that can be read.
    func publishedKeys() -> PublishedKeys? {
        // The list says nothing that somebody did not choose to trust, so an unreadable one is
        // worth no more than a missing one.
        guard
            let bytes = try? (export / PublishedKeys.fileName).read(
                sizeMaximum: PublishedKeys.sizeMaximum
            )
        else { return nil }
        return try? PublishedKeys(parsing: bytes)
    }

    func folder(_ sequence: SnapshotSequence, of app: AppSlug) -> Path {
        export / "snapshots" / app.text / "\(sequence)"
    }

    private func read(_ path: Path, _ sizeMaximum: Int) throws(LoadRefusal) -> [UInt8] {
        do {
            return try path.read(sizeMaximum: sizeMaximum)
        } catch {
            throw .unreadable(error)
        }
    }

    private func trusted<Verified>(
        _ verified: () throws(VerificationRefusal) -> Verified
    ) throws(LoadRefusal) -> Verified {
        do throws(VerificationRefusal) {
            return try verified()
        } catch {
            throw .untrusted(error)
        }
    }
}

/// The prepared answers of one app's verified snapshot.
struct ServedApp {
    let publication: EdgeTable.Publication
    let isDefault: Bool
    /// Each file once for every key that has signed it and is trusted.
    let documents: [ServedDocument]
    /// The manifest and its signatures, for whoever wants to prove the whole snapshot; they stand
    /// at the app's own address only, since each app has its own.
    let proofs: [(name: String, resource: PreparedResource)]
    /// What devices of the marketplace are answered from that the app is.
    let marketplace: MarketplaceDocument?
    /// Which packages marketplaces hand out of the app.
    let packages: PackagesDocument?
    /// Of the folder it was read from.
    var identity: FileIdentity?
    /// That the log recorded the manifest; `nil` until it is there.
    var proof: ServedProof?
    /// Of the file that was looked at last, whatever it was.
    var proofVersion: FileVersion?

    let snapshot: VerifiedSnapshot
    /// What other edges may fetch of it, but for the proof.
    private let offer: OfferedSnapshot
    private let keys: TrustedKeys

    var sequence: SnapshotSequence { publication.sequence }

    /// Takes the keys that the snapshot was verified with.
    init(_ snapshot: VerifiedSnapshot, keys: TrustedKeys) throws(LoadRefusal) {
        let manifest = snapshot.manifest.manifest
        (self.snapshot, self.keys) = (snapshot, keys)
        offer = OfferedSnapshot(snapshot)
        publication = EdgeTable.Publication(
            app: manifest.app,
            sequence: manifest.sequence,
            issuedAt: Self.oldestIssue(in: snapshot)
        )
        isDefault = manifest.isDefault
        var documents: [ServedDocument] = []
        for file in snapshot.files {
            documents += try Self.documents(file, of: snapshot.manifest, keys)
        }
        self.documents = documents
        let served = Set(documents.map(\.name))
        let read = { (format: WireFormat) in
            snapshot.files.first {
                $0.description.name == format.fileName && served.contains(format.fileName.text)
            }?.body
        }
        marketplace = read(.marketplace).flatMap { try? MarketplaceDocument(parsing: $0) }
        packages = read(.packages).flatMap { try? PackagesDocument(parsing: $0) }
        proofs =
            manifest.signers.isDisjoint(with: keys.revoked)
            ? Self.proofs(of: snapshot.manifest) : []
    }

    /// When the oldest of the documents was ordered: what did not change since has the bytes that
    /// it had, and so its end.
    private static func oldestIssue(in snapshot: VerifiedSnapshot) -> Instant {
        let issue = snapshot.manifest.manifest.issue
        let kept = snapshot.files.filter { $0.description.sequence < issue.sequence }
        let dates = kept.compactMap { file -> Instant? in
            let format = WireFormat.all.first { $0.fileName == file.description.name }
            // What another publisher made, or a later program, says nothing of its age.
            return try? format?.stamp(file.body)?.issue.issuedAt
        }
        return dates.reduce(issue.issuedAt, min)
    }

    /// The files that devices are answered from and that this program cannot read.
    ///
    /// A later one made them; phones are served them all the same.
    var unreadable: [String] {
        let files: [(WireFormat, isRead: Bool)] = [
            (.marketplace, marketplace != nil), (.packages, packages != nil),
        ]
        let names = Set(documents.map(\.name))
        return files.filter { !$0.isRead }.map(\.0.fileName.text).filter(names.contains)
    }

    /// What is served to prove the snapshot; nothing of one that a revoked key has signed.
    var proven: [(name: String, resource: PreparedResource)] {
        guard let proof, !proofs.isEmpty else { return proofs }
        return proofs + [(Manifest.proofFileName, proof.resource)]
    }

    /// What other edges may fetch; nothing of what a revoked key has signed.
    var offered: OfferedSnapshot? {
        guard !proofs.isEmpty else { return nil }
        var offer = offer
        offer.proof = proof?.file
        return offer
    }

    /// Whether a snapshot has the same documents, byte for byte.
    func hasDocuments(of other: VerifiedSnapshot) -> Bool {
        snapshot.files.elementsEqual(other.files) {
            $0.description.name == $1.description.name && $0.body == $1.body
        }
    }

    /// The keys whose signatures are served.
    var shownKeys: Set<KeyID> { Set(documents.map(\.key)) }

    /// The same with other keys; `nil` where it makes no difference.
    ///
    /// What is served stays when a key is only forgotten; it goes when the key is revoked.
    func trusting(_ newKeys: TrustedKeys) throws(LoadRefusal) -> ServedApp? {
        let keys = TrustedKeys(newKeys.all + keys.all, revoked: newKeys.revoked)
        let manifest = snapshot.manifest.manifest
        guard manifest.signers.filter({ keys.isTrusted($0, by: manifest.app) }) != shownKeys else {
            return nil
        }
        var app = try ServedApp(snapshot, keys: keys)
        (app.identity, app.proof, app.proofVersion) = (identity, proof, proofVersion)
        return app
    }

    /// Signatures of keys that came to be trusted later were not looked at when the snapshot was
    /// verified, so those are looked at here.
    private static func documents(
        _ file: VerifiedFile,
        of verified: VerifiedManifest,
        _ keys: TrustedKeys
    ) throws(LoadRefusal) -> [ServedDocument] {
        let (description, manifest) = (file.description, verified.manifest)
        let signatures = description.signatures.filter { signature in
            guard let key = keys[signature.keyID], keys.isTrusted(key.id, by: manifest.app)
            else { return false }
            return verified.isChecked(by: key)
                || (try? signature.verify(file.body, keys: keys)) != nil
        }
        let leader = manifest.leading(of: signatures)
        var documents: [ServedDocument] = []
        for signature in signatures {
            guard
                let resource = PreparedResource(
                    file.body,
                    description.mediaType,
                    signature: fields(signature)
                )
            else { throw .unservable(description.name) }
            documents.append(
                ServedDocument(
                    name: description.name.text,
                    key: signature.keyID,
                    leads: signature.keyID == leader?.keyID,
                    resource: resource
                )
            )
        }
        return documents
    }

    private static func proofs(
        of manifest: VerifiedManifest
    ) -> [(name: String, resource: PreparedResource)] {
        let files = [
            (Manifest.fileName, "application/json", manifest.bytes),
            (
                Manifest.signaturesFileName, "text/plain; charset=utf-8",
                manifest.signatures.bytes
            ),
        ]
        return files.compactMap { name, mediaType, body in
            PreparedResource(body, mediaType).map { (name, $0) }
        }
    }

    private static func fields(_ signature: DistributionSignature) -> EdgeResource.Signature {
        EdgeResource.Signature(value: signature.signature.headerValue, date: signature.date.text)
    }
}

/// One file as one key has signed it.
struct ServedDocument {
    /// The last part of its addresses.
    let name: String
    let key: KeyID
    /// Whether it stands at the addresses that name no key.
    let leads: Bool
    let resource: PreparedResource
}

extension TrustedKeys {
    /// Whether a key that was published is one of these.
    func trust(_ key: PublishedKey) -> Bool {
        self[key.id]?.publicKey == key.publicKey && isTrusted(key.id, by: key.app)
    }

    fileprivate func isTrusted(_ id: KeyID, by app: AppSlug) -> Bool {
        guard let key = self[id] else { return false }
        return key.app == nil || key.app == app
    }
}

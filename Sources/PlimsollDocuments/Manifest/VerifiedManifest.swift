package import PlimsollDomain
import PlimsollJSON

/// A manifest whose signatures were checked with trusted keys; nothing else makes one.
package struct VerifiedManifest: Equatable, Sendable {
    package let manifest: Manifest
    package let bytes: [UInt8]
    /// Those that were checked.
    package let signatures: ManifestSignatures
    /// All that came with it, for those who trust other keys.
    package let allSignatures: [UInt8]
    private let keys: TrustedKeys

    fileprivate init(
        _ manifest: Manifest,
        bytes: [UInt8],
        signatures: ManifestSignatures,
        allSignatures: [UInt8],
        keys: TrustedKeys
    ) {
        self.allSignatures = allSignatures
        self.manifest = manifest
        self.bytes = bytes
        self.signatures = signatures
        self.keys = keys
    }

    /// Whether what a key has signed of the snapshot's files was checked with this key.
    package func isChecked(by key: TrustedKeys.Key) -> Bool {
        keys[key.id]?.publicKey == key.publicKey
    }

    /// Checks the bodies of all files: length, SHA-256, and the signature of each known key.
    ///
    /// Bodies that the manifest does not name are not part of the snapshot.
    package func verify(
        _ bodies: [FileName: [UInt8]]
    ) throws(VerificationRefusal) -> VerifiedSnapshot {
        var files: [VerifiedFile] = []
        for file in manifest.files {
            guard let body = bodies[file.name] else { throw .fileMissing(file.name) }
            try check(file, body)
            files.append(VerifiedFile(description: file, body: body))
        }
        return VerifiedSnapshot(manifest: self, files: files)
    }

    private func check(_ file: ManifestFile, _ body: [UInt8]) throws(VerificationRefusal) {
        guard body.count == file.length else {
            throw .fileOfAnotherLength(file.name, found: body.count, expected: file.length)
        }
        guard ContentDigest(of: body) == file.digest else { throw .fileOfAnotherDigest(file.name) }
        let known = file.signatures.filter { keys[$0.keyID] != nil }
        guard !known.isEmpty else {
            throw .fileKeyUnknown(file.name, file.signatures.map(\.keyID))
        }
        for signature in known {
            if let owner = keys[signature.keyID]?.app, owner != manifest.app {
                throw .keyOfAnotherApp(signature.keyID, owner)
            }
            guard (try? signature.verify(body, keys: keys)) != nil else {
                throw .fileSignatureWrong(file.name, signature.keyID)
            }
        }
    }
}

extension Manifest {
    /// Checks a manifest as it was stored or fetched, with its signatures.
    ///
    /// Signatures of unknown keys are passed over, those of known keys have to fit, and there has
    /// to be one. Whether the sequence may follow the one already held is the caller's to say.
    package static func verify(
        _ bytes: [UInt8],
        signatures: [UInt8],
        keys: TrustedKeys,
        expectedApp: AppSlug
    ) throws(VerificationRefusal) -> VerifiedManifest {
        let allSignatures = signatures
        guard let signatures = ManifestSignatures(parsing: signatures)?.signatures else {
            throw mark(on: bytes) ?? .signaturesMalformed
        }
        let known = signatures.filter { keys[$0.keyID] != nil }
        guard !known.isEmpty else {
            throw mark(on: bytes) ?? .keyUnknown(signatures.map(\.keyID))
        }
        let digest = digest(bytes)
        for signature in known {
            guard let key = keys[signature.keyID] else { continue }
            if let owner = key.app, owner != expectedApp {
                throw .keyOfAnotherApp(key.id, owner)
            }
            guard key.publicKey.accepts(signature, over: digest) else {
                throw .signatureWrong(key.id)
            }
        }
        return try read(
            bytes,
            signatures: ManifestSignatures(known),
            allSignatures: allSignatures,
            keys: keys,
            expectedApp: expectedApp
        )
    }

    /// Why something that nobody signed is not to be published, where it says so itself.
    private static func mark(on bytes: [UInt8]) -> VerificationRefusal? {
        // It is refused either way; this only tells a person more.
        (try? Manifest(parsing: bytes))?.inspection.map(VerificationRefusal.inspection)
    }

    /// Only what is signed is read to be used.
    private static func read(
        _ bytes: [UInt8],
        signatures: ManifestSignatures,
        allSignatures: [UInt8],
        keys: TrustedKeys,
        expectedApp: AppSlug
    ) throws(VerificationRefusal) -> VerifiedManifest {
        let manifest: Manifest
        do throws(JSONIssues) {
            manifest = try Manifest(parsing: bytes)
        } catch {
            throw .manifestMalformed(error.issues)
        }
        guard manifest.app == expectedApp else {
            throw .anotherApp(found: manifest.app, expected: expectedApp)
        }
        if let event = manifest.inspection { throw .inspection(event) }
        return VerifiedManifest(
            manifest,
            bytes: bytes,
            signatures: signatures,
            allSignatures: allSignatures,
            keys: keys
        )
    }
}

/// A snapshot of which every byte was checked; only this can be served.
package struct VerifiedSnapshot: Equatable, Sendable {
    package let manifest: VerifiedManifest
    package let files: [VerifiedFile]
}

/// One file of a verified snapshot.
package struct VerifiedFile: Equatable, Sendable {
    package let description: ManifestFile
    package let body: [UInt8]
}

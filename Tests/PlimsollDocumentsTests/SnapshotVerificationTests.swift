import PlimsollDocuments
import PlimsollDomain
import Testing

@Suite struct SnapshotVerificationTests {
    @Test func `a snapshot as it was signed is verified`() throws {
        let snapshots = try Snapshots()
        let manifest = try snapshots.manifest()
        let verified = try snapshots.verify(manifest)
        #expect(verified.manifest == manifest)
        #expect(verified.bytes == manifest.bytes)
        let snapshot = try verified.verify(snapshots.bodies)
        #expect(snapshot.files.map(\.description) == manifest.files)
        #expect(snapshot.files.allSatisfy { snapshots.bodies[$0.description.name] == $0.body })
    }

    @Test func `what OpenSSL signed is a signature of a manifest`() throws {
        let app = try #require(AppSlug("harbour"))
        let signatures = Array("\(Vectors.header(signature: Vectors.manifestSignature))\n".utf8)
        let refusal = #expect(throws: VerificationRefusal.self) {
            try Manifest.verify(
                Vectors.manifest,
                signatures: signatures,
                keys: try Vectors.keys(),
                expectedApp: app
            )
        }
        // The signature holds, so the bytes are read, and they are no manifest.
        guard case .manifestMalformed(let issues) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(!issues.isEmpty)
    }

    @Test func `every flipped bit of a manifest is refused`() throws {
        let snapshots = try Snapshots()
        let bytes = try snapshots.manifest().bytes
        let signatures = try snapshots.signatures(bytes)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(throws: VerificationRefusal.signatureWrong(snapshots.key.id)) {
                try Manifest.verify(
                    changed,
                    signatures: signatures,
                    keys: snapshots.keys,
                    expectedApp: snapshots.app
                )
            }
        }
    }

    @Test func `the signature of a document is none of a manifest`() throws {
        let snapshots = try Snapshots()
        let bytes = try snapshots.manifest().bytes
        let date = try #require(SignatureDate("plimsoll-manifest/v1"))
        let signature = try DistributionSignature(
            signing: bytes,
            date: date,
            with: snapshots.key.signer
        )
        #expect(throws: VerificationRefusal.signatureWrong(snapshots.key.id)) {
            try Manifest.verify(
                bytes,
                signatures: ManifestSignatures([signature.signature]).bytes,
                keys: snapshots.keys,
                expectedApp: snapshots.app
            )
        }
    }

    @Test func `the manifest of another app is refused`() throws {
        let snapshots = try Snapshots()
        let other = try #require(AppSlug("ferry"))
        let bytes = try snapshots.manifest().bytes
        let signatures = try snapshots.signatures(bytes)
        #expect(throws: VerificationRefusal.keyOfAnotherApp(snapshots.key.id, snapshots.app)) {
            try Manifest.verify(
                bytes,
                signatures: signatures,
                keys: snapshots.keys,
                expectedApp: other
            )
        }
        let anyApp = TrustedKeys([snapshots.key.trusted()])
        #expect(throws: VerificationRefusal.anotherApp(found: snapshots.app, expected: other)) {
            try Manifest.verify(
                bytes,
                signatures: signatures,
                keys: anyApp,
                expectedApp: other
            )
        }
    }

    @Test func `a known key has to sign, and unknown ones are passed over`() throws {
        let snapshots = try Snapshots()
        let bytes = try snapshots.manifest().bytes
        let stranger = OtherKey()
        func verify(_ signers: [ContentSigner]) throws -> VerifiedManifest {
            try Manifest.verify(
                bytes,
                signatures: try snapshots.signatures(bytes, signers: signers),
                keys: snapshots.keys,
                expectedApp: snapshots.app
            )
        }
        _ = try verify([stranger.signer, snapshots.key.signer])
        #expect(throws: VerificationRefusal.keyUnknown([stranger.id])) {
            try verify([stranger.signer])
        }
        let impostor = ContentSigner(keyID: snapshots.key.id, privateKey: stranger.privateKey)
        #expect(throws: VerificationRefusal.signatureWrong(snapshots.key.id)) {
            try verify([snapshots.key.signer, impostor])
        }
    }

    @Test func `signatures that cannot be read are refused`() throws {
        let snapshots = try Snapshots()
        #expect(throws: VerificationRefusal.signaturesMalformed) {
            try Manifest.verify(
                try snapshots.manifest().bytes,
                signatures: [],
                keys: snapshots.keys,
                expectedApp: snapshots.app
            )
        }
    }

    @Test func `what was exported for inspection is refused, signed or not`() throws {
        let snapshots = try Snapshots()
        var manifest = try snapshots.manifest()
        manifest.inspection = Position(60)
        let bytes = manifest.bytes
        #expect(try Manifest(parsing: bytes) == manifest)
        let stranger = OtherKey()
        for signatures in [
            [], try snapshots.signatures(bytes),
            try snapshots.signatures(bytes, signers: [stranger.signer]),
        ] {
            #expect(throws: VerificationRefusal.inspection(Position(60))) {
                try Manifest.verify(
                    bytes,
                    signatures: signatures,
                    keys: snapshots.keys,
                    expectedApp: snapshots.app
                )
            }
        }
    }

    @Test func `a file that is missing, cut, longer or flipped is refused`() throws {
        let snapshots = try Snapshots()
        let verified = try snapshots.verify(snapshots.manifest())
        for (name, body) in snapshots.bodies {
            var bodies = snapshots.bodies
            bodies[name] = nil
            #expect(throws: VerificationRefusal.fileMissing(name)) { try verified.verify(bodies) }
            bodies[name] = []
            let length = body.count
            #expect(
                throws: VerificationRefusal.fileOfAnotherLength(name, found: 0, expected: length)
            ) { try verified.verify(bodies) }
            bodies[name] = body + [0x0A]
            #expect(
                throws: VerificationRefusal.fileOfAnotherLength(
                    name,
                    found: length + 1,
                    expected: length
                )
            ) { try verified.verify(bodies) }
            for index in body.indices {
                var changed = body
                changed[index] ^= 1
                bodies[name] = changed
                #expect(throws: VerificationRefusal.fileOfAnotherDigest(name)) {
                    try verified.verify(bodies)
                }
            }
        }
    }

    @Test func `a file that no known key signed for phones is refused`() throws {
        let snapshots = try Snapshots()
        let stranger = OtherKey()
        let manifest = try snapshots.manifest(signers: [stranger.signer])
        let name = manifest.files[0].name
        #expect(throws: VerificationRefusal.fileKeyUnknown(name, [stranger.id])) {
            try snapshots.verify(manifest).verify(snapshots.bodies)
        }
        let impostor = ContentSigner(keyID: snapshots.key.id, privateKey: stranger.privateKey)
        let forged = try snapshots.manifest(signers: [impostor])
        #expect(throws: VerificationRefusal.fileSignatureWrong(name, snapshots.key.id)) {
            try snapshots.verify(forged).verify(snapshots.bodies)
        }
        let unsigned = try snapshots.manifest(signers: [])
        #expect(throws: VerificationRefusal.fileKeyUnknown(name, [])) {
            try snapshots.verify(unsigned).verify(snapshots.bodies)
        }
    }

    @Test func `a file signed with another app's key is refused`() throws {
        let snapshots = try Snapshots()
        let other = OtherKey()
        let ferry = try #require(AppSlug("ferry"))
        let keys = TrustedKeys([
            snapshots.key.trusted(for: snapshots.app), other.trusted(for: ferry),
        ])
        let manifest = try snapshots.manifest(signers: [other.signer])
        #expect(throws: VerificationRefusal.keyOfAnotherApp(other.id, ferry)) {
            try snapshots.verify(manifest, keys: keys).verify(snapshots.bodies)
        }
    }

    @Test func `files that the manifest does not name are no part of the snapshot`() throws {
        let snapshots = try Snapshots()
        var bodies = snapshots.bodies
        bodies[try #require(FileName("more"))] = [1]
        let snapshot = try snapshots.verify(snapshots.manifest()).verify(bodies)
        #expect(snapshot.files.count == 2)
    }

    @Test func `expiry is told and refuses nothing`() throws {
        let issue = try Snapshots().issue
        #expect(!issue.isExpired(at: issue.issuedAt))
        #expect(issue.isExpired(at: issue.expiresAt))
    }
}

import PlimsollDocuments
import PlimsollDomain
import Testing

@Suite struct SnapshotVerificationTests {
    @Test func `a snapshot as it was signed is verified`() throws {
        let snapshots = try Snapshots()
        let manifest = try snapshots.manifest()
        let verified = try snapshots.verify(manifest).get()
        #expect(verified.manifest == manifest)
        #expect(verified.bytes == manifest.bytes)
        let snapshot = try verified.verify(snapshots.bodies).get()
        #expect(snapshot.files.map(\.description) == manifest.files)
        #expect(snapshot.files.allSatisfy { snapshots.bodies[$0.description.name] == $0.body })
    }

    @Test func `what OpenSSL signed is a signature of a manifest`() throws {
        let app = try #require(AppSlug("harbour"))
        let signatures = Array("\(Vectors.header(signature: Vectors.manifestSignature))\n".utf8)
        let result = Manifest.verify(
            Vectors.manifest,
            signatures: signatures,
            keys: try Vectors.keys(),
            expectedApp: app
        )
        // The signature holds, so the bytes are read, and they are no manifest.
        guard case .refused(.manifestMalformed(let issues)) = result else {
            Issue.record("\(result)")
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
            let result = Manifest.verify(
                changed,
                signatures: signatures,
                keys: snapshots.keys,
                expectedApp: snapshots.app
            )
            #expect(result.refusal == .signatureWrong(snapshots.key.id))
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
        let result = Manifest.verify(
            bytes,
            signatures: ManifestSignatures([signature.signature]).bytes,
            keys: snapshots.keys,
            expectedApp: snapshots.app
        )
        #expect(result.refusal == .signatureWrong(snapshots.key.id))
    }

    @Test func `the manifest of another app is refused`() throws {
        let snapshots = try Snapshots()
        let other = try #require(AppSlug("ferry"))
        let bytes = try snapshots.manifest().bytes
        let signatures = try snapshots.signatures(bytes)
        let result = Manifest.verify(
            bytes,
            signatures: signatures,
            keys: snapshots.keys,
            expectedApp: other
        )
        #expect(result.refusal == .keyOfAnotherApp(snapshots.key.id, snapshots.app))
        let anyApp = TrustedKeys([snapshots.key.trusted()])
        let second = Manifest.verify(
            bytes,
            signatures: signatures,
            keys: anyApp,
            expectedApp: other
        )
        #expect(second.refusal == .anotherApp(found: snapshots.app, expected: other))
    }

    @Test func `a known key has to sign, and unknown ones are passed over`() throws {
        let snapshots = try Snapshots()
        let bytes = try snapshots.manifest().bytes
        let stranger = OtherKey()
        func verify(_ signers: [ContentSigner]) throws -> Verification<VerifiedManifest> {
            Manifest.verify(
                bytes,
                signatures: try snapshots.signatures(bytes, signers: signers),
                keys: snapshots.keys,
                expectedApp: snapshots.app
            )
        }
        #expect(try verify([stranger.signer, snapshots.key.signer]).verified != nil)
        #expect(try verify([stranger.signer]).refusal == .keyUnknown([stranger.id]))
        let impostor = ContentSigner(keyID: snapshots.key.id, privateKey: stranger.privateKey)
        #expect(
            try verify([snapshots.key.signer, impostor]).refusal
                == .signatureWrong(snapshots.key.id)
        )
    }

    @Test func `signatures that cannot be read are refused`() throws {
        let snapshots = try Snapshots()
        let result = Manifest.verify(
            try snapshots.manifest().bytes,
            signatures: [],
            keys: snapshots.keys,
            expectedApp: snapshots.app
        )
        #expect(result.refusal == .signaturesMalformed)
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
            let result = Manifest.verify(
                bytes,
                signatures: signatures,
                keys: snapshots.keys,
                expectedApp: snapshots.app
            )
            #expect(result.refusal == .inspection(Position(60)))
        }
    }

    @Test func `a file that is missing, cut, longer or flipped is refused`() throws {
        let snapshots = try Snapshots()
        let verified = try snapshots.verify(snapshots.manifest()).get()
        for (name, body) in snapshots.bodies {
            var bodies = snapshots.bodies
            bodies[name] = nil
            #expect(verified.verify(bodies).refusal == .fileMissing(name))
            bodies[name] = []
            #expect(
                verified.verify(bodies).refusal
                    == .fileOfAnotherLength(name, found: 0, expected: body.count)
            )
            bodies[name] = body + [0x0A]
            #expect(verified.verify(bodies).verified == nil)
            for index in body.indices {
                var changed = body
                changed[index] ^= 1
                bodies[name] = changed
                #expect(verified.verify(bodies).refusal == .fileOfAnotherDigest(name))
            }
        }
    }

    @Test func `a file that no known key signed for phones is refused`() throws {
        let snapshots = try Snapshots()
        let stranger = OtherKey()
        let manifest = try snapshots.manifest(signers: [stranger.signer])
        let name = manifest.files[0].name
        let unknown = try snapshots.verify(manifest).get().verify(snapshots.bodies)
        #expect(unknown.refusal == .fileKeyUnknown(name, [stranger.id]))
        let impostor = ContentSigner(keyID: snapshots.key.id, privateKey: stranger.privateKey)
        let forged = try snapshots.manifest(signers: [impostor])
        let wrong = try snapshots.verify(forged).get().verify(snapshots.bodies)
        #expect(wrong.refusal == .fileSignatureWrong(name, snapshots.key.id))
        let unsigned = try snapshots.manifest(signers: [])
        let none = try snapshots.verify(unsigned).get().verify(snapshots.bodies)
        #expect(none.refusal == .fileKeyUnknown(name, []))
    }

    @Test func `a file signed with another app's key is refused`() throws {
        let snapshots = try Snapshots()
        let other = OtherKey()
        let ferry = try #require(AppSlug("ferry"))
        let keys = TrustedKeys([
            snapshots.key.trusted(for: snapshots.app), other.trusted(for: ferry),
        ])
        let manifest = try snapshots.manifest(signers: [other.signer])
        let result = try snapshots.verify(manifest, keys: keys).get().verify(snapshots.bodies)
        #expect(result.refusal == .keyOfAnotherApp(other.id, ferry))
    }

    @Test func `files that the manifest does not name are no part of the snapshot`() throws {
        let snapshots = try Snapshots()
        var bodies = snapshots.bodies
        bodies[try #require(FileName("more"))] = [1]
        let snapshot = try snapshots.verify(snapshots.manifest()).get().verify(bodies).get()
        #expect(snapshot.files.count == 2)
    }

    @Test func `expiry is told and refuses nothing`() throws {
        let issue = try Snapshots().issue
        #expect(!issue.isExpired(at: issue.issuedAt))
        #expect(issue.isExpired(at: issue.expiresAt))
    }
}

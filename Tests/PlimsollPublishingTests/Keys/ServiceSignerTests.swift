import Crypto
import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem
import PlimsollTestSupport
import Testing

/// Keys that never leave their key service.
@Suite(.timeLimit(.minutes(5))) struct ServiceSignerTests {
    private let digests = ["one", "two"].map { SHA256.hash(data: Array($0.utf8)) }

    @Test func `a key in a key service is kept by a note and signs`() async throws {
        try await withScratchFolder { folder in
            try await StandIn.with(folder) { service, keys, name in
                let kept = try await keys.keep(.service(name), for: harbour)
                #expect(kept.isNew)
                #expect(kept.record.id == name.keyID)
                #expect(kept.record.publicKey == Array(service.key.publicKey.derRepresentation))
                #expect(try (folder / "harbour").entries() == ["\(name.keyID).place"])
                #expect(keys.fault(of: kept.record) == nil)
                #expect(try keys.publicHalves().keys.all.map(\.id) == [name.keyID])
                let signer = try keys.checkedSigner(for: kept.record)
                let signatures = try await signer.sign(digests)
                let publicKey = PublicKey(service.key.publicKey)
                #expect(zip(signatures, digests).allSatisfy { publicKey.accepts($0, over: $1) })
                try await signer.prove()
                #expect(try await keys.keep(.service(name), for: harbour).isNew == false)
            }
        }
    }

    @Test func `what the service answers wrongly is never passed on`() async throws {
        try await withScratchFolder { folder in
            try await StandIn.with(folder) { service, keys, name in
                let kept = try await keys.keep(.service(name), for: harbour)
                let signer = try keys.checkedSigner(for: kept.record)
                for (behavior, failure) in [
                    (StandInKeyService.Behavior.forging, SignerFailure.wrong), (.babbling, .wrong),
                    (.refusing(status: 503, type: ""), .away("it answered 503")),
                    (
                        .refusing(status: 400, type: "DisabledException"),
                        .refused("it answered DisabledException")
                    ),
                ] {
                    service.change(to: behavior)
                    await #expect(throws: failure) { try await signer.sign(digests) }
                }
                service.change(to: .well)
                #expect(try await signer.sign(digests).count == 2)
            }
        }
    }

    @Test func `a key that the service does not show is not kept`() async throws {
        try await withScratchFolder { folder in
            try await StandIn.with(folder) { service, keys, name in
                service.change(to: .refusing(status: 400, type: "NotFoundException"))
                let error = await #expect(throws: SigningKeyError.self) {
                    try await keys.keep(.service(name), for: harbour)
                }
                #expect(error?.description.contains("NotFoundException") == true)
                let isKept = try (folder / "harbour").isFolder()
                #expect(!isKept)
            }
        }
    }
}

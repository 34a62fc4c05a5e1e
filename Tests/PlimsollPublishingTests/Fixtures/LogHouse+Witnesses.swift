import PlimsollLog
import PlimsollPostgres
import PlimsollPublishing
import PlimsollStore
import PlimsollSystem
import Testing

/// Witnesses of the log, and what they bring.
extension LogHouse {
    func witness(_ name: String) throws -> Cosigner {
        try Cosigner(SignerKey(name: try #require(KeyName(name)), kind: .cosignature))
    }

    func publishedCheckpoint() throws -> SignedCheckpoint {
        try SignedCheckpoint(parsing: folder.logCheckpoint.read(sizeMaximum: 1 << 16))
    }

    func line(
        of witness: Cosigner,
        under signed: SignedCheckpoint
    ) throws -> NoteSignature {
        let key = try #require(try key.signer()).verifierKey
        switch signed.verification(by: LogTrust(logKeys: [key])) {
        case .verified(let verified): return try witness.cosign(verified, posixSeconds: 1)
        case .refused(let refusal): throw refusal
        }
    }

    /// Brings a line as a witness does over REST.
    func keep(_ cosigned: SignedCheckpoint, by witnesses: Cosigner...) async throws {
        let session = try await Session.open(connection, settings: .service)
        let checkpoints = Checkpoints(EventLog(session))
        let kept = try await Cosignatures(checkpoints, by: witnesses.map(\.verifierKey))
            .keep(cosigned.bytes)
        await session.close()
        #expect(try kept.get() == cosigned.bytes)
    }
}

import PlimsollPublishing
import PlimsollSystem
import PlimsollLog
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase(template: logHouseTemplate), .timeLimit(.minutes(5)))
struct CosignaturePublicationTests {
    // Goal: a line stands beside the log's own as soon as the exporter looks, as long as the
    // checkpoint is the newest, and however often exporters come and go.
    @Test func `the lines of witnesses are published under the newest checkpoint`() async throws {
        try await LogHouse.with { house in
            let witness = try house.witness("w1.example.com")
            try await house.append(3)
            try await house.publishing(witnesses: [witness.verifierKey]) { publisher, edge, _ in
                _ = try await publisher.publish(&edge)
                let bare = try house.published()
                #expect(bare.note.signatures.count == 1)
                let cosigned = try bare.adding([try house.line(of: witness, under: bare)])
                try await house.keep(cosigned, by: witness)
                _ = try await publisher.publish(&edge)
                #expect(try house.published() == cosigned)
                try await house.append(1)
                _ = try await publisher.publish(&edge)
                #expect(try house.published().checkpoint.root.size == 4)
                #expect(try house.published().note.signatures.count == 1)
            }
            let bare = try house.published()
            let cosigned = try bare.adding([try house.line(of: witness, under: bare)])
            try await house.keep(cosigned, by: witness)
            try await house.publishing(witnesses: [witness.verifierKey]) { publisher, edge, _ in
                _ = try await publisher.publish(&edge)
            }
            #expect(try house.published() == cosigned)
            #expect(try await house.audited() == cosigned.checkpoint.root)
        }
    }

    @Test func `lines whose rows were lost with the checkpoint's are kept again`() async throws {
        try await LogHouse.with { house in
            let witness = try house.witness("w1.example.com")
            try await house.append(3)
            try await house.publish()
            let cosigned = try await house.publishing(witnesses: [witness.verifierKey]) {
                publisher,
                edge,
                _ in
                let bare = try house.published()
                let cosigned = try bare.adding([try house.line(of: witness, under: bare)])
                try await house.keep(cosigned, by: witness)
                _ = try await publisher.publish(&edge)
                return cosigned
            }
            try await house.asOwner(
                "ALTER TABLE log.checkpoint DISABLE TRIGGER ALL",
                "ALTER TABLE log.cosignature DISABLE TRIGGER ALL",
                "DELETE FROM log.cosignature",
                "DELETE FROM log.checkpoint"
            )
            try await house.publishing(witnesses: [witness.verifierKey]) { publisher, edge, _ in
                _ = try await publisher.publish(&edge)
            }
            #expect(try house.published() == cosigned)
            #expect(try await house.recorded() == [3])
        }
    }

    @Test func `what the database says of witnesses is not believed`() async throws {
        try await LogHouse.with { house in
            let witness = try house.witness("w1.example.com")
            let stranger = try house.witness("w2.example.com")
            try await house.append(3)
            let older = try await house.publishing { publisher, edge, _ in
                _ = try await publisher.publish(&edge)
                return try house.published()
            }
            try await house.append(1)
            try await house.publish()
            let bare = try house.published()
            let lines = [
                try house.line(of: witness, under: older).line,
                try house.line(of: stranger, under: bare).line, Array("soup".utf8),
            ]
            for (number, line) in lines.enumerated() {
                let text = String(decoding: line, as: UTF8.self)
                try await house.asOwner(
                    """
                    INSERT INTO log.cosignature (size, created_at, witness, line)
                    VALUES (4, now(), \(String(number)), \(text))
                    """
                )
            }
            try await house.publishing(witnesses: [witness.verifierKey]) { publisher, edge, _ in
                _ = try await publisher.publish(&edge)
            }
            #expect(try house.published() == bare)
        }
    }
}

extension LogHouse {
    fileprivate func witness(_ name: String) throws -> Cosigner {
        try Cosigner(SignerKey(name: try #require(KeyName(name)), kind: .cosignature))
    }

    fileprivate func published() throws -> SignedCheckpoint {
        try SignedCheckpoint(parsing: folder.logCheckpoint.read(sizeMaximum: 1 << 16))
    }

    fileprivate func line(
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
    fileprivate func keep(_ cosigned: SignedCheckpoint, by witness: Cosigner) async throws {
        var settings = SessionSettings()
        settings.role = StoreSchema.serviceRole
        let session = try await Session.open(connection, settings: settings)
        let checkpoints = Checkpoints(EventLog(session))
        let kept = try await Cosignatures(checkpoints, by: [witness.verifierKey])
            .keep(cosigned.bytes)
        await session.close()
        #expect(try kept.get() == cosigned.bytes)
    }
}

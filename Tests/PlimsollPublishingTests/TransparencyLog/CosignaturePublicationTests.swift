import PlimsollPublishing
import PlimsollSystem
import PlimsollLog
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct CosignaturePublicationTests {
    // Goal: a line stands beside the log's own as soon as the exporter looks, as long as the
    // checkpoint is the newest, and however often exporters come and go.
    @Test func `the lines of witnesses are published under the newest checkpoint`() async throws {
        try await LogHouse.with { house in
            let witness = try house.witness("w1.example.com")
            try await house.append(3)
            try await house.publishing(witnesses: [witness.verifierKey]) { publisher, edge, _ in
                _ = try await publisher.publish(&edge)
                let bare = try house.publishedCheckpoint()
                #expect(bare.note.signatures.count == 1)
                let cosigned = try bare.adding([try house.line(of: witness, under: bare)])
                try await house.keep(cosigned, by: witness)
                _ = try await publisher.publish(&edge)
                #expect(try house.publishedCheckpoint() == cosigned)
                try await house.append(1)
                _ = try await publisher.publish(&edge)
                #expect(try house.publishedCheckpoint().checkpoint.root.size == 4)
                #expect(try house.publishedCheckpoint().note.signatures.count == 1)
            }
            let bare = try house.publishedCheckpoint()
            let cosigned = try bare.adding([try house.line(of: witness, under: bare)])
            try await house.keep(cosigned, by: witness)
            try await house.publishing(witnesses: [witness.verifierKey]) { publisher, edge, _ in
                _ = try await publisher.publish(&edge)
            }
            #expect(try house.publishedCheckpoint() == cosigned)
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
                let bare = try house.publishedCheckpoint()
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
            #expect(try house.publishedCheckpoint() == cosigned)
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
                return try house.publishedCheckpoint()
            }
            try await house.append(1)
            try await house.publish()
            let bare = try house.publishedCheckpoint()
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
            #expect(try house.publishedCheckpoint() == bare)
        }
    }
}

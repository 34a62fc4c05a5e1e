import Foundation
import PlimsollSystem
import PlimsollPostgres

/// PostgreSQL's own load generator, which inserts rows like those of the log, one a transaction.
///
/// Its table has the log's columns and what any table of events has: a key that counts, and one of
/// stream and revision. It has no trigger, no lock, no check and no generated column.
struct Pgbench: Sendable {
    private let connection: String
    private let script: Path
    private let entry: String
    private let seconds: Int

    private static let table: Statement = """
        CREATE TABLE IF NOT EXISTS plain_event (
            position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            revision bigint NOT NULL,
            recorded_at timestamptz NOT NULL,
            event_id uuid NOT NULL,
            command_id uuid NOT NULL,
            shape smallint NOT NULL,
            stream text COLLATE "C" NOT NULL,
            type text COLLATE "C" NOT NULL,
            entry bytea NOT NULL,
            leaf_hash bytea NOT NULL,
            UNIQUE (stream, revision)
        )
        """

    private static let insertion = #"""
        \set revision :revision + 1
        INSERT INTO plain_event (
            revision, recorded_at, event_id, command_id, shape, stream, type, entry, leaf_hash
        ) VALUES (
            :revision, now(), gen_random_uuid(), gen_random_uuid(), 1, :stream || :client_id,
            'RenewalOrdered', :entry, :hash
        );
        """#

    init(server: ScratchServer, folder: Path, entry: [UInt8], seconds: Int) async throws {
        connection = server.connection
        script = folder / "insert.sql"
        self.entry = "\\x" + entry.map { String(format: "%02x", $0) }.joined()
        self.seconds = seconds
        try Data(Self.insertion.utf8).write(to: URL(filePath: script.string))
        try await server.withSession { session in
            try await session.execute(Self.table)
            try await session.execute("TRUNCATE plain_event")
        }
    }

    /// How many rows became durable in a second.
    func run(connections: Int) async throws -> Double {
        let output = try await Tool.output(
            "pgbench",
            [
                "--no-vacuum", "--protocol", "prepared", "--file", script.string,
                "--client", "\(connections)", "--jobs", "\(min(connections, 2))",
                "--time", "\(seconds)", "--define", "stream=app/\(UUID().uuidString.prefix(8))-",
                "--define", "revision=0", "--define", "entry=\(entry)",
                "--define", "hash=\\x\(String(repeating: "5a", count: 32))", connection,
            ]
        )
        guard let line = output.split(whereSeparator: \.isNewline).last(where: isRate),
            let rate = line.split(separator: " ").dropFirst(2).first.flatMap({ Double($0) })
        else { throw Failure(sentence: "pgbench was not understood:\n\(output)") }
        return rate
    }

    private func isRate(_ line: Substring) -> Bool { line.hasPrefix("tps = ") }
}

import PlimsollDomain
import PlimsollPostgres

/// Where the live generation of the read models stands, and whose it is.
struct LiveGeneration: Sendable {
    let generation: Int32
    private(set) var position: Position
    let shape: Int32

    /// `nil` where none is live.
    static func current(_ database: some Querying) async throws -> LiveGeneration? {
        let row = try await database.first(
            """
            SELECT generation, position, shape
            FROM projection.live JOIN projection.state USING (generation)
            """
        )
        return try row.map(LiveGeneration.init)
    }

    static func required(_ database: some Querying) async throws -> LiveGeneration {
        guard let live = try await current(database) else {
            throw CorruptReadModel("no generation of the read models is live")
        }
        return live
    }

    /// Keeps folds and rebuilds away until the transaction ends; `nil` where another generation is
    /// live by now.
    static func locked(
        _ generation: Int32,
        _ transaction: Transaction
    ) async throws -> LiveGeneration? {
        // Where this process sleeps projectors wait for it, and not for long.
        try await transaction.execute("SET LOCAL idle_in_transaction_session_timeout = '15 s'")
        _ = try await transaction.first(
            "SELECT FROM projection.state WHERE generation = \(generation) FOR UPDATE"
        )
        guard let live = try await current(transaction), live.generation == generation else {
            return nil
        }
        return live
    }

    private init(_ row: Row) throws {
        let (generation, position, shape) = try row.decode((Int32, Int64, Int32).self)
        self.generation = generation
        self.position = try Position(row: position)
        self.shape = shape
    }

    /// Whether another program has made it that knows more.
    var isForeign: Bool { shape > Fold.shape }

    /// It says that it has come further than the log, which is not to be believed.
    mutating func goBack(to end: Position, in transaction: Transaction) async throws {
        try await transaction.execute(
            """
            UPDATE projection.state SET position = \(end.rawValue) WHERE generation = \(generation)
            """
        )
        position = end
    }

    /// Nothing is folded into it yet, so whatever comes is of this program.
    func adoptIfEmpty(in database: some Querying) async throws {
        guard position == .start, shape < Fold.shape else { return }
        try await database.execute(
            """
            UPDATE projection.state SET shape = \(Fold.shape)
            WHERE generation = \(generation) AND position = 0 AND shape < \(Fold.shape)
            """
        )
    }

    /// From now on its rows are those of this program.
    func adopt(in transaction: Transaction) async throws {
        try await transaction.execute(
            """
            UPDATE projection.state SET shape = \(Fold.shape) WHERE generation = \(generation)
            """
        )
    }
}

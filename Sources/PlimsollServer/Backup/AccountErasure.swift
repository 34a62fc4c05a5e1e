import Logging
import PlimsollAPI
import PlimsollDevices
import PlimsollPostgres
import PlimsollService
import PlimsollStore
import PlimsollSystem

/// Erases what is kept of somebody who installs from a marketplace, in a database that runs already.
package struct AccountErasure: Sendable {
    private let database: RunningDatabase
    private let key: Path

    /// Takes the absolute path of the data folder, which has the key that accounts are hashed with.
    package init(_ database: RunningDatabase, data: String) {
        self.database = database
        key = Path(data) / "keys" / AccountKey.fileName
    }

    /// How many apps it was known of the account that it had; where it fails, nothing was erased
    /// unless the failure says otherwise.
    package func forget(_ account: String) async throws(DatabaseFailure) -> Int {
        do {
            guard let key = try AccountKey(existingAt: key) else {
                throw DatabaseFailure(
                    description: "There is no key of accounts at \(key), so what is kept of one "
                        + "cannot be found from here. The data folder has to be that of the service."
                )
            }
            try await StoreSchema.require(database.connection)
            return try await database.withPool(sessionsMaximum: 1) { pool in
                try await DownloadHistory(pool, key).forget(account)
            }
        } catch let failure as DatabaseFailure {
            throw failure
        } catch let error as PostgresError where error.kind == .connectionLost {
            throw DatabaseFailure(
                description:
                    "It is not known what was erased at \(database.connection), so erase it"
                    + " again: \(error)"
            )
        } catch {
            throw DatabaseFailure(
                description: "Nothing was erased at \(database.connection): \(error)"
            )
        }
    }
}

extension AccountMemory {
    /// What lies in the database, hashed with a key that may come to lie at its place later.
    init(_ database: any Querying, key place: Path, logger: Logger) {
        self.init { account in
            let key: AccountKey?
            do {
                key = try AccountKey(existingAt: place)
            } catch {
                logger.error("accounts cannot be hashed", metadata: ["error.reason": "\(error)"])
                throw Problem.accountKeyUnusable
            }
            guard let key else {
                // Nobody has kept anything, here or elsewhere.
                if try await DownloadHistory.isEmpty(database) { return { 0 } }
                throw Problem.accountKeyUnusable
            }
            let history = DownloadHistory(database, key)
            return { try await history.forget(account) }
        }
    }
}

package import PlimsollPostgres

/// Lets one exporter of a database work at a time.
///
/// It is an advisory lock of a session of its own: PostgreSQL gives it back when the session
/// ends, however that comes. So an answer on that session proves that the lock is still held.
package actor ExportLock {
    private let connection: ConnectionString
    private var session: Session?

    /// It spells "PlimExpt".
    private static let key: Int64 = 0x506C_696D_4578_7074
    private static let answerTimeout: Duration = .seconds(5)

    package init(_ connection: ConnectionString) {
        self.connection = connection
    }

    /// Takes the lock if nobody holds it; true as well when it is held already.
    package func holdIfFree() async throws -> Bool {
        if session != nil {
            try await confirm()
            return true
        }
        let candidate = try await Session.open(
            connection,
            settings: Self.settings,
            until: .now + Self.answerTimeout
        )
        do {
            let row = try await candidate.first(
                "SELECT pg_try_advisory_lock(\(Self.key))",
                timeout: Self.answerTimeout
            )
            guard let row, try row.value(at: 0, as: Bool.self) else {
                await candidate.close()
                return false
            }
        } catch {
            await candidate.close()
            throw error
        }
        session = candidate
        return true
    }

    /// Throws unless the lock is held.
    package func confirm() async throws {
        guard let session else { throw ExportLockLost() }
        do {
            try await session.execute("SELECT", timeout: Self.answerTimeout)
        } catch {
            if !Task.isCancelled {
                await release()
            }
            throw error
        }
    }

    /// Lets the next one in.
    package func release() async {
        let session = session
        self.session = nil
        await session?.close()
    }

    private static var settings: SessionSettings {
        var settings = SessionSettings()
        settings.applicationName = "plimsoll exporter"
        return settings
    }
}

/// The exporter's lock is held by nobody here.
package struct ExportLockLost: Error, Equatable, Sendable, CustomStringConvertible {
    package let description = "the exporter's lock is not held"
}

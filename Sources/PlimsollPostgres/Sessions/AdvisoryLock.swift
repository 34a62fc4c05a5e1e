/// Lets one of all processes on a database do something at a time.
///
/// It is an advisory lock of a session of its own: PostgreSQL gives it back when the session
/// ends, however that comes. So an answer on that session proves that the lock is still held.
package actor AdvisoryLock {
    private let connection: ConnectionString
    private let key: Int64
    private let name: String
    private var session: Session?

    private static let answerTimeout: Duration = .seconds(5)

    /// - Parameters:
    ///   - key: What those have in common of whom one is to work.
    ///   - name: What the session is called in the server's lists.
    ///   - connection: Where the lock is; a session of its own is opened there.
    package init(_ key: Int64, named name: String, on connection: ConnectionString) {
        self.key = key
        self.name = name
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
            settings: settings,
            until: .now + Self.answerTimeout
        )
        do {
            let row = try await candidate.first(
                "SELECT pg_try_advisory_lock(\(key))",
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
        guard let session else { throw AdvisoryLockLost(name: name) }
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

    private var settings: SessionSettings {
        var settings = SessionSettings()
        settings.applicationName = name
        return settings
    }
}

/// The lock is held by nobody here.
package struct AdvisoryLockLost: Error, Equatable, Sendable, CustomStringConvertible {
    package let name: String

    package var description: String { "the lock of the \(name) is not held" }
}

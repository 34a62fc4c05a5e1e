import Logging

/// What is said on channels of the database, for as long as somebody listens.
///
/// A notification is a doorbell, not the news: it is lost while nobody is connected. So the
/// first element, and the first after every reconnection, is
/// ``Element/mayHaveMissed``: time to look at the tables themselves. It also comes at least
/// once in every `lookInterval`, with the assurance that the connection is alive. The sequence
/// reconnects by itself and ends only when its task is cancelled.
package struct Notifications: AsyncSequence, Sendable {
    /// A notification, or the news that some may not have been heard.
    package enum Element: Sendable, Hashable {
        case notification(channel: String, payload: String)
        case mayHaveMissed
    }

    static let backoffMinimum: Duration = .milliseconds(50)
    static let backoffMaximum: Duration = .seconds(5)

    let connection: ConnectionString
    let settings: SessionSettings
    let channels: [String]
    let lookInterval: Duration

    package init(
        _ connection: ConnectionString,
        settings: SessionSettings = SessionSettings(),
        channels: [String],
        lookInterval: Duration = .seconds(30)
    ) {
        self.connection = connection
        self.settings = settings
        self.channels = channels
        self.lookInterval = lookInterval
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }

    /// Holds the connection, which ends with it.
    package struct AsyncIterator: AsyncIteratorProtocol {
        private let notifications: Notifications
        private var session: Session?
        private var lookAt = ContinuousClock.now
        private var failureCount = 0

        init(_ notifications: Notifications) { self.notifications = notifications }

        package mutating func next() async -> Element? {
            await next(isolation: nil)
        }

        package mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while !Task.isCancelled {
                do throws(PostgresError) {
                    if let element = try await element() { return element }
                } catch {
                    session = nil
                    await pause(after: error)
                }
            }
            return nil
        }

        private mutating func element() async throws(PostgresError) -> Element? {
            guard let session else {
                self.session = try await notifications.listen()
                failureCount = 0
                return missed()
            }
            if let (channel, payload) = try await session.nextNotification(until: lookAt) {
                return .notification(channel: channel, payload: payload)
            }
            guard !Task.isCancelled else { return nil }
            guard await session.isAlive(.byRoundTrip) else {
                throw PostgresError(.connectionLost)
            }
            return missed()
        }

        private mutating func missed() -> Element {
            lookAt = .now + notifications.lookInterval
            return .mayHaveMissed
        }

        private mutating func pause(after error: PostgresError) async {
            guard !Task.isCancelled else { return }
            Logger.current.info(
                "notifications are interrupted",
                metadata: ["postgres.error": "\(error)"]
            )
            await nap(until: .now + backoff(after: failureCount))
            failureCount += 1
        }
    }

    private func listen() async throws(PostgresError) -> Session {
        let session = try await Session.open(connection, settings: settings)
        for channel in channels {
            try await session.execute("LISTEN \(identifier: channel)")
        }
        return session
    }
}

/// Doubles with each failure up to a limit, with some chance in it.
private func backoff(after failures: Int) -> Duration {
    let doubled = Notifications.backoffMinimum * (1 << min(failures, 10))
    return min(doubled, Notifications.backoffMaximum) * Double.random(in: 0.5...1)
}

extension Session {
    typealias Notification = (channel: String, payload: String)

    /// Waits for the next notification; `nil` when the deadline has passed or the task was
    /// cancelled.
    func nextNotification(
        until deadline: ContinuousClock.Instant
    ) async throws(PostgresError) -> Notification? {
        try await turn.take(until: deadline)
        defer { turn.give() }
        while let descriptor {
            if let notification = connection.nextNotification() { return notification }
            guard !Task.isCancelled, .now < deadline else { return nil }
            _ = await withTaskCancellationHandler {
                await descriptor.wait(for: .reading, until: deadline)
            } onCancel: {
                descriptor.interrupt()
            }
            guard connection.consumeInput() else {
                defer { breakOff() }
                throw lost(nil)
            }
        }
        throw PostgresError(.closed)
    }
}

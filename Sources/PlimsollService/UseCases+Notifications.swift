package import PlimsollAPI
package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// Does what a notification of Apple's demands, or keeps it; whoever calls has seen that it is
    /// Apple's.
    ///
    /// It returns once that is durable.
    package func take(
        _ notification: AppleNotification,
        requestID: String
    ) async throws(UseCaseError) -> NotificationOutcome {
        let request = CommandRequest(TakeNotification(notification), requestID: requestID)
        do throws(WriteError) {
            let receipt = try await writer.perform(request)
            return receipt.events.contains { $0.event.isKeptNotification } ? .kept : .recorded
        } catch {
            guard UseCaseError(error) == UseCaseError(.nothingChanges) else {
                throw UseCaseError(error)
            }
            return .known
        }
    }

    /// The notifications that nothing followed from yet; asks for a viewer of all apps.
    package func notifications(for caller: Caller) throws(UseCaseError) -> NotificationList {
        let logState = try logState()
        try require(.viewer, of: caller, in: .all, logState)
        return NotificationList(
            position: logState.position,
            waiting: logState.notifications.waiting.map(KeptNotification.init),
            unread: logState.notifications.unread.map(KeptNotification.init)
        )
    }
}

extension KeptNotification {
    fileprivate init(_ kept: KeptNotifications.Kept) {
        self.init(
            position: kept.position,
            recordedAt: kept.recordedAt,
            why: kept.notification.whyKept,
            notification: kept.notification.text
        )
    }
}

extension Event {
    fileprivate var isKeptNotification: Bool {
        if case .service(.notificationKept) = self { true } else { false }
    }
}

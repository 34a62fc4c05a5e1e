package import PlimsollAPI
package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// Does what the parts of a notification of Apple's demand, or keeps them; whoever calls has seen
    /// that it is Apple's.
    ///
    /// It returns once that is durable. Whatever ends it in the middle, what is known already stays as
    /// it is when the parts come again. One review is ordered of all that is withdrawn.
    package func take(
        _ parts: [AppleNotification],
        requestID: String
    ) async throws(UseCaseError) -> NotificationOutcome {
        var outcomes: Set<NotificationOutcome> = []
        var review: Position?
        for part in parts {
            let command = TakeNotification(part, reviewedAs: review)
            do throws(WriteError) {
                let receipt = try await writer.perform(
                    CommandRequest(command, requestID: requestID)
                )
                let isKept = receipt.events.contains { $0.event.isKeptNotification }
                outcomes.insert(isKept ? .kept : .recorded)
                review = receipt.events.last { $0.event.ordersReview }?.position ?? review
            } catch {
                guard UseCaseError(error) == UseCaseError(.nothingChanges) else {
                    throw UseCaseError(error)
                }
            }
        }
        return outcomes.contains(.kept) ? .kept : outcomes.contains(.recorded) ? .recorded : .known
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

    fileprivate var ordersReview: Bool {
        if case .app(.marketplace(.withdrawalReviewOrdered)) = self { true } else { false }
    }
}

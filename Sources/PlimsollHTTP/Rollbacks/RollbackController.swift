import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/apps/{app}/rollback`: back to what was, at once and by one person.
struct RollbackController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .write(Endpoints.rollBack) { call in
                RollbackAnswer(
                    try await useCases.rollBack(call.form, of: call.names, call.write)
                )
            }
        ]
    }
}

extension RollbackAnswer {
    init(_ rollback: RollbackView) {
        self.init(
            app: rollback.app,
            position: rollback.position,
            sequence: rollback.sequence,
            target: rollback.target,
            platforms: rollback.platforms,
            platformsKept: rollback.platformsKept,
            changes: rollback.changes,
            outlook: RollbackOutlook(rollback)
        )
    }
}

extension RollbackOutlook {
    fileprivate init(_ rollback: RollbackView) {
        self.init(
            sideEffects: rollback.sideEffects,
            textsMissing: rollback.textsMissing,
            devices: rollback.devices,
            reach: rollback.reach,
            review: rollback.review,
            blocked: rollback.blocked,
            checks: rollback.findings,
            notes: rollback.told.notes,
            origin: rollback.origin.map { origin in
                RollbackOrigin(
                    at: origin.recordedAt,
                    write: origin.write.map { write in
                        RollbackOrigin.Write(
                            event: write.event.position,
                            origin: FieldOrigin(write.event, write.cause)
                        )
                    }
                )
            }
        )
    }
}

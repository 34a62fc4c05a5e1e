import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/apps/{app}/emergency` and `/v1/apps/{app}/block`: at once and by one person, and looked at
/// again afterwards.
struct EmergencyController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .write(Endpoints.declareEmergency) { call in
                let (form, write) = (call.form, call.write)
                return EmergencyAnswer(
                    try await useCases.declareEmergency(form, in: call.names, write)
                )
            },
            .write(Endpoints.blockVersion) { call in
                EmergencyAnswer(
                    try await useCases.block(call.form, in: call.names, call.write)
                )
            },
        ]
    }
}

extension EmergencyAnswer {
    fileprivate init(_ emergency: EmergencyView) {
        self.init(
            app: emergency.app,
            change: emergency.change,
            position: emergency.position,
            sequence: emergency.sequence,
            incident: emergency.incident,
            review: Review(position: emergency.review, order: emergency.order),
            changes: emergency.changes,
            overtaken: emergency.overtaken,
            textsMissing: emergency.textsMissing,
            checks: emergency.findings,
            blocked: emergency.blocked,
            notes: emergency.told.notes
        )
    }
}

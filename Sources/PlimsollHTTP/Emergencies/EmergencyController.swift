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
                let emergency = EmergencyRequest(call.form, for: call.names)
                return EmergencyAnswer(
                    try await useCases.declareEmergency(emergency, call.write)
                )
            },
            .write(Endpoints.blockVersion) { call in
                let block = BlockRequest(call.form, for: call.names)
                return EmergencyAnswer(try await useCases.block(block, call.write))
            },
        ]
    }
}

extension EmergencyRequest {
    fileprivate init(_ form: EmergencyForm, for app: AppSlug) {
        self.init(
            app: app,
            title: form.title,
            base: form.base,
            operations: form.operations,
            incident: form.incident,
            owner: form.owner,
            reason: form.reason
        )
    }
}

extension BlockRequest {
    fileprivate init(_ form: BlockForm, for app: AppSlug) {
        self.init(
            app: app,
            platform: form.platform,
            below: form.below,
            texts: form.texts,
            title: form.title,
            incident: form.incident,
            owner: form.owner,
            reason: form.reason
        )
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

import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/apps/{app}/emergency` and `/v1/apps/{app}/block`: at once and by one person, and looked at
/// again afterwards.
struct EmergencyController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .post("apps/{app}/emergency", use: declare)
            .post("apps/{app}/block", use: block)
    }

    private func declare(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let app = try context.app()
        let submission = try await Submission<EmergencyForm>(request, context)
        let emergency = EmergencyRequest(submission.form, for: app)
        let receipt = try await useCases.declareEmergency(emergency, submission.write)
        return Reply(EmergencyAnswer(receipt), to: submission.write)
    }

    private func block(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let app = try context.app()
        let submission = try await Submission<BlockForm>(request, context)
        let block = BlockRequest(submission.form, for: app)
        let receipt = try await useCases.block(block, submission.write)
        return Reply(EmergencyAnswer(receipt), to: submission.write)
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

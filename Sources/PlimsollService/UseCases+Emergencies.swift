import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// Brings edits into force at once, and opens a review of it; asks for a responder.
    package func declareEmergency(
        _ emergency: EmergencyRequest,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> EmergencyView {
        let live = try world().position
        let command = DeclareEmergency(
            app: emergency.app,
            title: emergency.title,
            base: emergency.base ?? live,
            operations: emergency.operations,
            incident: emergency.incident,
            owner: emergency.owner,
            reason: emergency.reason,
            by: request.caller.principal,
            hash: ChangeDigest.init(of:)
        )
        return try await view(of: try await perform(command, request), emergency.app)
    }

    /// Keeps versions of the app from running, at once; asks for a responder.
    package func block(
        _ block: BlockRequest,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> EmergencyView {
        let command = BlockVersion(
            app: block.app,
            platform: block.platform,
            below: block.below,
            texts: block.texts,
            title: block.title,
            incident: block.incident,
            owner: block.owner,
            reason: block.reason,
            by: request.caller.principal,
            hash: ChangeDigest.init(of:)
        )
        return try await view(of: try await perform(command, request), block.app)
    }

    private func view(
        of receipt: Receipt,
        _ slug: AppSlug
    ) async throws(UseCaseError) -> EmergencyView {
        guard let first = receipt.events.first, case .change(let id) = first.stream,
            let (emergency, review) = receipt.events.emergency
        else { throw .unexpected("an emergency does not begin with its own change") }
        let app = try existingApp(slug, receipt.world)
        let history = readModels.history
        let before = try await read {
            try await history.state(of: slug, after: first.position.before)
        }
        guard let before else { throw UseCaseError(.targetBeforeApp(slug)) }
        let isReal = receipt.freshness != .rehearsed
        let operations = receipt.events.operations
        let platforms = app.settings.platforms.sorted()
        let grounds = app.checkGrounds(
            under: receipt.world.policy(of: slug).policy,
            at: first.recordedAt
        )
        return EmergencyView(
            app: slug,
            change: isReal ? id : nil,
            position: isReal ? receipt.position : nil,
            sequence: isReal ? SnapshotSequence(orderedBy: receipt.position) : nil,
            incident: emergency.incident,
            order: emergency.review,
            review: isReal ? review : nil,
            changes: platforms.flatMap { before.changes(on: $0, by: receipt.events) },
            overtaken: receipt.events.overtaken,
            textsMissing: app.fieldsMissing(applying: operations),
            findings: CheckFinding.findings(in: operations, grounds) { before.document($0) },
            blocked: app.blockedShares(from: before.document) { platform in
                before.document(platform, after: receipt.events)
            }
        )
    }
}

extension [RecordedEvent] {
    /// The emergency among the events, and its position.
    fileprivate var emergency: (Emergency, Position)? {
        for event in self {
            guard case .change(.emergencyApplied(let emergency)) = event.event else { continue }
            return (emergency, event.position)
        }
        return nil
    }

    /// The changes that were put in conflict.
    var overtaken: [ChangeID] {
        compactMap { recorded in
            guard
                case (.change(let id), .change(.changeOvertaken)) = (
                    recorded.stream, recorded.event
                )
            else { return nil }
            return id
        }
    }

    /// The edits that the events made.
    var operations: [Operation] {
        compactMap { recorded in
            guard case .app(let event) = recorded.event else { return nil }
            return event.operation
        }
    }
}

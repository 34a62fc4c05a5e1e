/// Approves the change whose digest the reviewer saw; with the last approval needed it applies.
package struct ApproveChange: Command {
    package let change: ChangeID
    package let seen: ChangeDigest
    package let comment: Reason?
    package let by: PrincipalID
    package let hash: ChangeHash

    package init(
        change: ChangeID,
        seen: ChangeDigest,
        comment: Reason?,
        by: PrincipalID,
        hash: @escaping ChangeHash
    ) {
        self.change = change
        self.seen = seen
        self.comment = comment
        self.by = by
        self.hash = hash
    }

    package func decide(in world: World) throws(Refusal) -> Decision {
        let (change, app) = try world.changeToDecide(change, by: by)
        let content = change.content(against: app)
        let digest = hash(content)
        var objections = reviewerObjections(change, in: world)
        if digest != seen {
            objections.append(.digestDiffers(change.id, seen: seen, current: digest))
        }
        objections += app.conflicts(of: content.effect, since: change.base)
        objections += app.missingTexts(applying: change.operations)
        if content.effect.isEmpty { objections.append(.nothingChanges) }
        guard objections.isEmpty else { throw Refusal(objections) }
        return decision(change, app, digest)
    }

    private func reviewerObjections(_ change: Change, in world: World) -> [Objection] {
        if by == change.author { return [.ownWork(change.id)] }
        return world.access.depends(by, on: change.author) ? [.dependsOnAuthor(change.id)] : []
    }

    private func decision(_ change: Change, _ app: App, _ digest: ChangeDigest) -> Decision {
        var decision = Decision(relyingOn: [.access, .app(app.slug)])
        decision.append(
            .change(.changeApproved(digest: digest, comment: comment)),
            to: .change(change.id)
        )
        decision.append(
            fieldEvents: app.documents(applying: change.operations),
            of: app
        )
        decision.append(
            .change(.changeApplied(app: app.slug, digest: digest)),
            to: .change(change.id)
        )
        return decision
    }
}

/// Turns a change down for good; the reason goes with the event.
package struct RejectChange: Command {
    package let change: ChangeID
    package let seen: ChangeDigest
    package let reason: Reason?
    package let by: PrincipalID
    package let hash: ChangeHash

    package init(
        change: ChangeID,
        seen: ChangeDigest,
        reason: Reason,
        by: PrincipalID,
        hash: @escaping ChangeHash
    ) {
        self.change = change
        self.seen = seen
        self.reason = reason
        self.by = by
        self.hash = hash
    }

    package func decide(in world: World) throws(Refusal) -> Decision {
        let (change, app) = try world.changeToDecide(change, by: by)
        let digest = hash(change.content(against: app))
        var objections: [Objection] = []
        if by == change.author { objections.append(.ownWork(change.id)) }
        if digest != seen {
            objections.append(.digestDiffers(change.id, seen: seen, current: digest))
        }
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = Decision(relyingOn: [.access, .app(app.slug)])
        decision.append(.change(.changeRejected(digest: digest)), to: .change(change.id))
        return decision
    }
}

/// Takes an own change back.
package struct WithdrawChange: Command {
    package let change: ChangeID
    package let seen: ChangeDigest
    package let by: PrincipalID
    package let hash: ChangeHash

    package init(
        change: ChangeID,
        seen: ChangeDigest,
        by: PrincipalID,
        hash: @escaping ChangeHash
    ) {
        self.change = change
        self.seen = seen
        self.by = by
        self.hash = hash
    }

    package func decide(in world: World) throws(Refusal) -> Decision {
        let change = try world.undecidedChange(change, by: by)
        let app = try world.existingApp(change.app)
        try world.require(.proposer, of: by, in: .app(app.slug))
        let digest = hash(change.content(against: app))
        var objections: [Objection] = []
        if by != change.author { objections.append(.notTheAuthor(change.id)) }
        if digest != seen {
            objections.append(.digestDiffers(change.id, seen: seen, current: digest))
        }
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = Decision(relyingOn: [.access, .app(app.slug)])
        decision.append(.change(.changeWithdrawn), to: .change(change.id))
        return decision
    }
}

extension World {
    /// The open change and its app, if the principal may decide on it.
    fileprivate func changeToDecide(
        _ id: ChangeID,
        by principal: PrincipalID
    ) throws(Refusal) -> (Change, App) {
        let change = try undecidedChange(id, by: principal)
        let app = try existingApp(change.app)
        try require(.approver, of: principal, in: .app(app.slug))
        return (change, app)
    }
}

extension Decision {
    /// Appends the events that turn the app's documents into the given ones.
    mutating func append(fieldEvents target: [Platform: Document], of app: App) {
        for platform in app.settings.platforms.sorted() {
            let current = app.document(platform)
            let operations = current.operations(to: target[platform] ?? current)
            // Made beforehand: the optimizer of Swift 6.3.1 crashes on making them in the loop.
            for event in operations.map(AppEvent.init) {
                append(.app(event), to: .app(app.slug))
            }
        }
    }
}

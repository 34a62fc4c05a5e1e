/// Turns a change down; the reason goes with the event.
///
/// Whom the policy asks to approve may say no as well, and so may every approver.
package struct TurnDownChange: Command {
    /// What is to become of it.
    package enum Verdict: Sendable {
        case rejected
        /// The author is asked for something else; a revision puts the change up again.
        case changesRequested
    }

    package let change: ChangeID
    package let verdict: Verdict
    package let seen: ChangeDigest
    package let reason: Reason?
    package let by: PrincipalID
    package let hash: ChangeHash

    package init(
        change: ChangeID,
        verdict: Verdict,
        seen: ChangeDigest,
        reason: Reason,
        by: PrincipalID,
        hash: @escaping ChangeHash
    ) {
        self.change = change
        self.verdict = verdict
        self.seen = seen
        self.reason = reason
        self.by = by
        self.hash = hash
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let examined = try logState.examined(change, by: by, hash)
        if !logState.asks(by, toApprove: examined) {
            try logState.require(.approver, of: by, in: .app(examined.app.slug))
        }
        var objections = examined.objections(toSeeing: seen)
        if by == examined.change.author { objections.append(.ownWork(change)) }
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = Decision(relyingOn: [.access, .service, .app(examined.app.slug)])
        decision.append(.change(event(examined.digest)), to: .change(change))
        return decision
    }

    private func event(_ digest: ChangeDigest) -> ChangeEvent {
        switch verdict {
        case .rejected: .changeRejected(digest: digest)
        case .changesRequested: .changesRequested(digest: digest)
        }
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

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let examined = try logState.examined(change, by: by, hash)
        try logState.require(.proposer, of: by, in: .app(examined.app.slug))
        var objections = examined.objections(toSeeing: seen)
        if by != examined.change.author { objections.append(.notTheAuthor(change)) }
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = Decision(relyingOn: [.access, .app(examined.app.slug)])
        decision.append(.change(.changeWithdrawn), to: .change(change))
        return decision
    }
}

/// Says why what a check found in a change is right; the reason goes with the event.
///
/// It holds for the change as it was seen, as an approval does, and for as long as whoever said it
/// has the role. Like an approval it is nobody's to give who had a hand in the change.
package struct OverrideCheck: Command {
    package let change: ChangeID
    package let seen: ChangeDigest
    package let check: CheckName
    package let reason: Reason?
    package let by: PrincipalID
    package let hash: ChangeHash

    package init(
        change: ChangeID,
        seen: ChangeDigest,
        check: CheckName,
        reason: Reason,
        by: PrincipalID,
        hash: @escaping ChangeHash
    ) {
        self.change = change
        self.seen = seen
        self.check = check
        self.reason = reason
        self.by = by
        self.hash = hash
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let examined = try logState.examined(change, by: by, hash)
        let app = examined.app.slug
        let rule = logState.policy(of: app).policy.rule(for: check)
        // Whoever may approve may be told that there is nothing to override.
        try logState.require(rule.overridableBy ?? .approver, of: by, in: .app(app))
        let checks = logState.checks(of: examined.change, digest: examined.digest, at: now)
        let results = checks.filter {
            $0.finding.check == check && $0.rule.severity == .refuse
        }
        var objections = examined.objections(toSeeing: seen)
        if let objection = logState.objectionToReviewer(by, of: examined.change) {
            objections.append(objection)
        }
        let refused = results.filter(\.isRefused)
        if refused.isEmpty { objections.append(.nothingChanges) }
        objections += refused.filter { $0.rule.overridableBy == nil }.map {
            .checkRefused($0.finding, overridableBy: nil)
        }
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = Decision(relyingOn: [.access, .service, .app(app)])
        decision.append(
            .change(.checkOverridden(check, digest: examined.digest)),
            to: .change(change)
        )
        return decision
    }
}

/// Approves the change whose digest the reviewer saw.
///
/// With the last approval the policy asks for it is applied in the same append, unless it has a
/// time of its own or there is a freeze.
package struct ApproveChange: Command {
    package let change: ChangeID
    package let seen: ChangeDigest
    package let comment: Reason?
    /// The events that counted the devices by which the change was judged as it was seen; `nil` where
    /// that is not said.
    package let counted: [Platform: Position]?
    package let signature: PersonSignature?
    package let by: PrincipalID
    package let hash: ChangeHash
    package let isSigned: SignatureCheck
    /// Nobody signs for trial: what they would sign counts as signed, if they have a key.
    package let isDryRun: Bool

    /// How far the clock of whoever signs may be from the service's.
    package static let clockTolerance = Duration.seconds(900)

    package init(
        change: ChangeID,
        seen: ChangeDigest,
        comment: Reason?,
        counted: [Platform: Position]? = nil,
        signature: PersonSignature? = nil,
        by: PrincipalID,
        hash: @escaping ChangeHash,
        isSigned: @escaping SignatureCheck = { _, _ in false },
        isDryRun: Bool = false
    ) {
        self.change = change
        self.seen = seen
        self.comment = comment
        self.counted = counted
        self.signature = signature
        self.by = by
        self.hash = hash
        self.isSigned = isSigned
        self.isDryRun = isDryRun
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        let examined = try logState.examined(change, by: by, hash)
        let (change, app) = (examined.change, examined.app)
        try requireReviewer(of: examined, in: logState)
        let status = logState.approvalStatus(of: examined, at: now)
        let counts = logState.strictness != .original ? app.counts(judging: change.operations) : [:]
        var objections = examined.objections(toSeeing: seen)
        objections += objectionsToCounts(counts)
        objections += objectionsToSignature(of: examined, in: logState, at: now)
        objections += logState.objectionsToEffect(of: examined, at: now)
        if change.state == .changesRequested { objections.append(.changesWanted(change.id)) }
        if objections.isEmpty, hasApproved(examined, status, in: logState) {
            objections.append(.approvedAlready(change.id))
        }
        guard objections.isEmpty else { throw Refusal(objections) }
        let signature = signature ?? trialSignature(in: logState, at: now)
        var decision = Decision(relyingOn: [.access, .service, .app(app.slug)])
        decision.append(
            .change(
                .changeApproved(
                    digest: examined.digest,
                    comment: comment,
                    counted: counts,
                    signature: signature
                )
            ),
            to: .change(change.id)
        )
        let approval = Approval(
            by: by,
            at: now,
            digest: examined.digest,
            counted: counts,
            key: signature?.key
        )
        if logState.approvalStatus(of: examined, with: approval, at: now).state == .approved,
            logState.freeze(of: app.slug, at: now) == nil
        {
            decision.apply(examined, in: logState)
        }
        return decision
    }

    /// What is wrong with the signature; or with there being none, where only signed approvals count of
    /// those that this one may give.
    private func objectionsToSignature(
        of examined: ExaminedChange,
        in logState: LogState,
        at now: Instant
    ) -> [Objection] {
        guard let signature else {
            let asked = logState.requirements(for: examined).map(\.requirement).filter {
                logState.permits(by, toMeet: $0, of: examined.app.slug)
            }
            let isNeeded = !asked.isEmpty && asked.allSatisfy { $0.signedBy != nil }
            return isNeeded && trialSignature(in: logState, at: now) == nil
                ? [.signatureNeeded(examined.change.id)] : []
        }
        var objections: [Objection] = []
        if !logState.access.personKeys(of: by).contains(signature.key) {
            objections.append(.signatureRefused(.keyNotYours(signature.key)))
        }
        let (earliest, latest) = (
            now.advanced(by: Self.clockTolerance * -1), now.advanced(by: Self.clockTolerance)
        )
        if signature.signedAt < earliest || signature.signedAt > latest {
            objections.append(.signatureRefused(.anotherTime(signature.signedAt, now: now)))
        }
        if let last = examined.change.signedAt[by], signature.signedAt <= last {
            objections.append(.signatureRefused(.used(signature.signedAt, last: last)))
        }
        let statement = ApprovalStatement(
            app: examined.app.slug,
            change: examined.change.id,
            digest: examined.digest,
            approver: by,
            signedAt: signature.signedAt
        )
        // A digest that moved is told as that, and not as a forgery.
        if examined.digest == seen, !isSigned(signature, statement) {
            objections.append(.signatureRefused(.anotherStatement))
        }
        return objections
    }

    private func trialSignature(in logState: LogState, at now: Instant) -> PersonSignature? {
        guard isDryRun, signature == nil else { return nil }
        return logState.access.personKeys(of: by).last.map {
            PersonSignature(key: $0, signedAt: now, value: "AAAA")
        }
    }

    private func objectionsToCounts(_ current: [Platform: Position]) -> [Objection] {
        guard let counted else { return [] }
        return Set(current.keys).union(counted.keys).sorted().compactMap { platform in
            let (seen, now) = (counted[platform] ?? .start, current[platform] ?? .start)
            return seen == now
                ? nil : .countsDiffer(change, platform, seen: seen, current: now)
        }
    }

    /// Whether the approval is there already; one that expired may be given again, if only for some of
    /// what it is asked for, and where nobody needs to approve none does.
    private func hasApproved(
        _ examined: ExaminedChange,
        _ status: ApprovalStatus,
        in logState: LogState
    ) -> Bool {
        let approvals =
            logState.requirements(for: examined).isEmpty
            ? examined.change.approvals.filter { $0.digest == examined.digest }
            : status.approvals
        // A signature may be added to what was said without one, and is not taken away.
        guard let given = approvals.first(where: { $0.by == by }),
            given.key != nil || signature == nil
        else { return false }
        let isSame = (given.key != nil) == (signature != nil)
        return !isSame
            || !status.missing.contains { missing in
                logState.permits(by, toMeet: missing.requirement, of: examined.app.slug)
                    && (missing.requirement.signedBy == nil || signature != nil)
                    && status.lacks(missing, of: by)
            }
    }

    /// Refuses unless the policy could count the approval.
    private func requireReviewer(
        of examined: ExaminedChange,
        in logState: LogState
    ) throws(Refusal) {
        let change = examined.change
        let (requirements, scope) = (logState.requirements(for: examined), Scope.app(change.app))
        let unasked = requirements.map { rule in
            Objection.notAskedToApprove(change.id, rule.kind, rule.requirement)
        }
        let roles = Set(requirements.map(\.requirement.role)).union([.approver])
        guard roles.contains(where: { logState.access.permits(by, $0, in: scope) }) else {
            throw Refusal(unasked.isEmpty ? [.roleMissing(.approver, scope)] : unasked)
        }
        if let objection = logState.objectionToReviewer(by, of: change) { throw Refusal(objection) }
        guard requirements.isEmpty || logState.asks(by, toApprove: examined) else {
            throw Refusal(unasked)
        }
    }
}

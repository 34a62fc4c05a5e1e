import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain

/// A change: what it would do, who said what to it, and what can be done with it.
enum ChangeScreen {
    static let routes: [Route] =
        [
            .page("/changes/:change", page),
            .act("/changes/:change/comment", on: page) { visit in
                let (id, form) = (
                    try visit.changeID, CommentForm(comment: try visit.reason("comment"))
                )
                _ = try await visit.rest.call(Endpoints.commentOnChange, id, form, visit.write)
                return .moved(to: "/changes/\(id)?done=comment")
            },
            decision("approve", Endpoints.approveChange) { visit in
                ApprovalForm(
                    comment: try visit.optional("comment", Reason.init(validating:)),
                    counted: try visit.counted
                )
            },
            decision("reject", Endpoints.rejectChange) { visit in
                MandatoryReasonForm(reason: try visit.reason("comment"))
            },
            decision("request-changes", Endpoints.requestChanges) { visit in
                MandatoryReasonForm(reason: try visit.reason("comment"))
            },
            decision("withdraw", Endpoints.withdrawChange) { try await $0.commented() },
            decision("apply", Endpoints.applyChange) { try await $0.commented() },
            decision("schedule", Endpoints.scheduleChange) { visit in
                SchedulingForm(schedule: try visit.schedule())
            },
            decision("override", Endpoints.overrideCheck) { visit in
                OverrideForm(
                    check: try visit.needed("check") { CheckName(rawValue: $0) },
                    reason: try visit.reason("comment")
                )
            },
        ]

    /// What somebody does with the change as they saw it.
    private static func decision<Body: Form>(
        _ name: String,
        _ endpoint: Endpoint<ChangeID, SeenChange, Body, ChangeAnswer>,
        _ form: @escaping @Sendable (Visit) async throws -> Body
    ) -> Route {
        .act("/changes/:change/\(name)", on: page) { visit in
            let id = try visit.changeID
            let seen = try visit.needed("digest") { ChangeDigest(hex: $0) }
            let body = try await form(visit)
            _ = try await visit.rest.call(endpoint, id, seen: seen, body, visit.write)
            return .moved(to: "/changes/\(id)?done=\(name)")
        }
    }

    static func page(_ visit: Visit) async throws -> Page {
        let change = try await visit.rest.call(Endpoints.getChange, try visit.changeID)
        let names = try await visit.names()
        let isOpen = change.summary.state.isOpen
        var origin: [Field: BlameAnswer.Line] = [:]
        if isOpen {
            for platform in Set(change.effect.map(\.field.platform)) {
                let place = AppPlatform(change.summary.app, platform)
                let blame = try await visit.rest.call(Endpoints.blameDocument, place)
                for line in blame.lines { origin[line.field] = line }
            }
        }
        let app = isOpen ? try await visit.rest.call(Endpoints.getApp, change.summary.app) : nil
        var page = Page("change", "\(change.summary.id): \(change.summary.title.text)")
        page.fields["may"] = visit.offers.fields(in: .app(change.summary.app))
        page.fields["appNav"] = visit.navigation(of: change.summary.app)
        page.fields.merge(visit.row(of: change.summary, names)) { $1 }
        page.fields.merge(visit.contents(of: change, origin, names)) { $1 }
        page.fields.merge(visit.course(of: change, names)) { $1 }
        page.fields["mayApply"] = await visit.mayApply(change)
        if page.fields["mayApprove"] as? Bool == true {
            let refusal = await visit.refusal(Endpoints.approveChange, ApprovalForm(), change)
            page.fields["mayApprove"] = refusal == nil
            page.fields["approvalRefused"] = refusal.map(visit.wording(names).fields(of:))
        }
        if let check = change.checks.first(where: { visit.mayOverride($0, of: change.summary) }) {
            let reason = try Reason(validating: visit.language["rollback.trial"])
            let form = OverrideForm(check: check.finding.check, reason: reason)
            let refusal = await visit.refusal(Endpoints.overrideCheck, form, change)
            page.fields["isOverrideRefused"] = refusal != nil
        }
        page.fields.merge(visit.outlook(on: change, app, names)) { $1 }
        // The row of a list has the title alone.
        page.fields["title"] = page.title
        return page
    }
}

extension Visit {
    fileprivate var changeID: ChangeID {
        get throws { try parameter("change", ChangeID.init(typed:)) }
    }

    /// The counts that the page showed: none at all is said as well, since one may have come meanwhile.
    fileprivate var counted: [Platform: Position] {
        get throws {
            var counts: [Platform: Position] = [:]
            for platform in Platform.allCases {
                counts[platform] =
                    try optional("counted.\(platform.rawValue)", Position.init(typed:))
            }
            return counts
        }
    }

    /// What was typed beside an act that takes no words is a comment before it: once, however often
    /// the act is tried.
    fileprivate func commented() async throws -> EmptyForm {
        guard let comment = try optional("comment", Reason.init(validating:)) else {
            return EmptyForm()
        }
        let id = try changeID
        let digest = ContentDigest(of: Array(comment.text.utf8)).hex
        let write = WriteOptions(idempotencyKey: "beside-\(id)-\(digest)")
        _ = try await rest.call(
            Endpoints.commentOnChange,
            id,
            CommentForm(comment: comment),
            write
        )
        return EmptyForm()
    }

    /// So many are read; the rest stands in the table.
    private static let sentencesMaximum = 12

    func contents(
        of change: ChangeAnswer,
        _ origin: [Field: BlameAnswer.Line],
        _ names: Names
    ) -> Fields {
        Fields(all: [
            "reason": change.reason?.text, "digest": change.digest?.hex,
            "base": change.summary.base.description,
            "version": change.version, "isOpen": change.summary.state.isOpen,
            "sentences": change.effect.prefix(Self.sentencesMaximum).map { $0.sentence(language) },
            "sentencesLeft": change.effect.count > Self.sentencesMaximum
                ? change.effect.count - Self.sentencesMaximum : nil,
            "effect": change.effect.map { $0.fields(self, origin, names) },
            "hasNoEffect": change.effect.isEmpty,
            "checks": change.checks.map { fields(of: $0, on: change.summary, names) },
            "hasChecks": !change.checks.isEmpty,
            "conflicts": change.conflicts.map { fields(of: $0, names) },
            "counted": change.counted.map {
                ["platform": $0.platform.rawValue, "position": $0.position.description]
            },
            "source": change.origin.source?.text,
            "supersededBy": change.origin.supersededBy?.description,
        ])
    }

    private func fields(
        of check: CheckResult,
        on change: ChangeSummary,
        _ names: Names
    ) -> Fields {
        Fields(all: [
            "check": check.finding.check.rawValue,
            "sentence": wording(names)(check.finding.sentence, as: .finding),
            "isBlocking": check.isRefused, "mayBeOverridden": mayOverride(check, of: change),
            "overridableBy": check.rule.overridableBy.map { language["roles.\($0.rawValue).name"] },
            "overriddenBy": check.overriddenBy.map(names.callAsFunction),
            "overrideReason": form["check"] == check.finding.check.rawValue
                ? form["comment"] : nil,
        ])
    }

    fileprivate func mayOverride(_ check: CheckResult, of change: ChangeSummary) -> Bool {
        // What an author says for their own change overrides nothing.
        check.isRefused && change.author != principal
            && check.rule.overridableBy.map { offers.has($0, in: .app(change.app)) } ?? false
    }

    private func fields(of conflict: FieldConflict, _ names: Names) -> Fields {
        Fields(all: [
            "path": conflict.field.path, "name": conflict.field.name(language),
            "base": conflict.base?.shown, "live": conflict.live?.shown,
            "isText": conflict.field.isLong,
            "by": names(conflict.write.actor), "at": time(conflict.write.recordedAt),
            "reason": conflict.write.reason?.text,
            "event": conflict.write.position.description,
        ])
    }

    func course(of change: ChangeAnswer, _ names: Names) -> Fields {
        let (state, app) = (change.summary.state, change.summary.app)
        let isMine = change.summary.author == principal
        let hasApproved = change.isApproved(by: principal)
        let isWanted = change.course.missing.contains { isAsked(for: $0, of: app) }
        // Every approver may turn a change down, whether their approval is wanted or not.
        let isReviewer = isWanted || hasApproved || offers.has(.approver, in: .app(app))
        let (isInConflict, isSentBack) = (change.summary.isInConflict, state == .changesRequested)
        let mayDecide = state.isOpen && !isMine && isReviewer
        // Any proposer may; it is the author's alone to take it back.
        let mayRevise = state.isOpen && offers.has(.proposer, in: .app(app))
        return Fields(all: [
            "timeline": ChangeTimeline(of: change).fields(self, names),
            "approvals": change.outcome.approvals.map { fields(of: $0, names) },
            "missing": change.course.missing.map { fields(of: $0, names) },
            "suspension": change.summary.suspension.map { fields(of: $0) },
            "undoing": change.summary.undoing.map { fields(of: $0, names) },
            "isMine": isMine, "mayDecide": mayDecide,
            "mayApprove": mayDecide && !isInConflict && !isSentBack
                && (isWanted || change.course.missing.isEmpty),
            "hasToBeRevised": mayDecide && isInConflict,
            "isSentBack": mayDecide && isSentBack && !isInConflict,
            "mayRevise": mayRevise, "mayWithdraw": mayRevise && isMine,
            "comment": form.has("check") ? "" : form["comment"] ?? "",
        ])
    }

    /// Whether whoever looks could give what is missing; their roles say so where not all are named.
    private func isAsked(for missing: MissingAnswer, of app: AppSlug) -> Bool {
        missing.couldGive.contains { $0.id == principal }
            || missing.couldGive.count >= Review.reviewersNamed
                && offers.meets(missing.missing.requirement, of: app)
    }

    /// Whether the interface would apply it now for whoever looks.
    fileprivate func mayApply(_ change: ChangeAnswer) async -> Bool {
        let (summary, roles) = (change.summary, [Role.proposer, .approver])
        guard [ChangeState.approved, .suspended].contains(summary.state), let seen = change.digest,
            roles.contains(where: { offers.has($0, in: .app(summary.app)) })
        else { return false }
        let trial = WriteOptions(.dryRun)
        // Why it would not stands on the page already.
        let applied = try? await rest.call(
            Endpoints.applyChange,
            summary.id,
            seen: seen,
            EmptyForm(),
            trial
        )
        return applied != nil
    }

    /// Why the interface refuses it to whoever looks, however the change stands.
    ///
    /// It alone knows who had a hand in a change, and whose approval counts already. What else may be in
    /// the way stands on the page, and is nothing to whoever has approved.
    fileprivate func refusal<Body: Form>(
        _ endpoint: Endpoint<ChangeID, SeenChange, Body, ChangeAnswer>,
        _ form: Body,
        _ change: ChangeAnswer
    ) async -> Problem? {
        guard let seen = change.digest else { return nil }
        let (id, trial) = (change.summary.id, WriteOptions(.dryRun))
        do throws(AdminError) {
            _ = try await rest.call(endpoint, id, seen: seen, form, trial)
            return nil
        } catch {
            let isOfReader = [ProblemCode.forbidden, .nothingToDo].contains {
                $0 == error.problem?.code
            }
            return isOfReader || change.isApproved(by: principal) ? error.problem : nil
        }
    }

    private func fields(of missing: MissingAnswer, _ names: Names) -> Fields {
        let requirement = missing.missing.requirement
        let couldGive = missing.couldGive.map { names($0.id) }.joined(separator: ", ")
        return Fields(all: [
            "words": wording(names)(requirement),
            "have": missing.missing.have, "need": requirement.count,
            "couldGive": couldGive.isEmpty ? nil : couldGive,
        ])
    }

    private func fields(of undoing: Undoing, _ names: Names) -> Fields {
        Fields(all: [
            "event": undoing.position.description, "by": names(undoing.actor),
            "at": time(undoing.at), "reason": undoing.reason?.text,
        ])
    }

    private func fields(of approval: ChangeOutcome.Approval, _ names: Names) -> Fields {
        Fields(all: [
            "by": names(approval.verdict.by), "at": time(approval.verdict.at),
            "comment": approval.verdict.comment?.text,
            "isSigned": approval.signature != nil,
            "void": approval.void.map { wording(names)($0) },
        ])
    }
}

extension ChangeAnswer {
    fileprivate func isApproved(by reader: PrincipalID) -> Bool {
        outcome.approvals.contains { $0.verdict.by == reader && $0.counts }
    }
}

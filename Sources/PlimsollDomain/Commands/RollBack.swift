/// Brings documents of an app back to an earlier state, at once and by one person.
///
/// There is no precondition to clear first: it wins over freezes and schedules. What was to write
/// any of it at a time of its own is suspended, and what it undoes does not end by itself any more; folding
/// ``AppEvent/rolledBack(_:)`` sees to that, so that no other instance can slip a schedule past it.
/// Only documents go back: settings, policies, roles, keys and releases stay as they are. A value
/// that goes back by itself brings those required texts of that time along that are missing now.
///
/// It leaves no document empty that has something in it. Where the whole app goes back, platforms
/// of which nothing stood at the target are left as they are; where they are named, it is refused.
package struct RollBack: Command {
    package let app: AppSlug
    /// `nil` means every platform of the app.
    package let platforms: [Platform]?
    /// `nil` means every field.
    package let fields: [Field]?
    /// `nil` means every threshold; of each all that there is, then and now.
    package let thresholds: [ThresholdPlace]?
    package let request: RollbackTarget
    /// What the request leads to, read from the log.
    package let past: PastState
    /// What a dry run led to, where somebody agreed to that.
    package let seen: Position?
    /// How many changes of others it takes back besides the one it names, where somebody counted.
    package let undoing: Int?
    package let reason: Reason?
    package let by: PrincipalID

    package static let fieldsMaximum = 1000

    package init(
        app: AppSlug,
        platforms: [Platform]? = nil,
        fields: [Field]? = nil,
        thresholds: [ThresholdPlace]? = nil,
        request: RollbackTarget,
        past: PastState,
        seen: Position? = nil,
        undoing: Int? = nil,
        reason: Reason?,
        by: PrincipalID
    ) {
        self.app = app
        self.platforms = platforms
        self.fields = fields
        self.thresholds = thresholds
        self.request = request
        self.past = past
        self.seen = seen
        self.undoing = undoing
        self.reason = reason
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        try logState.require(.responder, of: by, in: .app(app))
        let app = try logState.existingApp(app)
        if let seen, seen != past.position {
            throw Refusal(.targetDiffers(seen: seen, now: past.position))
        }
        let strictness = logState.strictness
        let fields = try fields(of: app)
        let platforms = try platforms(of: app, fields, under: strictness)
        let target = app.withoutWithdrawn(target(of: app, platforms, fields))
        guard target != app.documents else {
            let emptied = isWhole ? app.platformsEmptied(by: past, under: strictness) : []
            throw Refusal(
                emptied.isEmpty ? [.nothingChanges] : emptied.map(Objection.documentEmptied)
            )
        }
        let emptied = platforms.filter { platform in
            let document = target[platform] ?? Document(platform: platform)
            return !isRevert && app.document(platform).isEmptied(by: document, under: strictness)
        }
        let record = RollbackRecord(
            target: past.position,
            request: request,
            platforms: platforms,
            fields: fields,
            frozenSince: logState.frozenSince(app.slug, at: now)
        )
        let objections =
            emptied.map(Objection.documentEmptied)
            + logState.objectionsToTwins(in: target, notIn: app)
            + objections(toUndoing: app.changes(ofOthersThan: by, undoneBy: record))
        guard objections.isEmpty else { throw Refusal(objections) }
        return decision(app, record, target, in: logState, at: now)
    }

    /// The documents as they would be.
    func documents(in app: App) throws(Refusal) -> [Platform: Document] {
        let fields = try fields(of: app)
        return app.withoutWithdrawn(target(of: app, try platforms(of: app, fields), fields))
    }

    private func objections(toUndoing others: [ChangeID]) -> [Objection] {
        guard let undoing, undoing != others.count else { return [] }
        return [.undoesOthers(others, counted: undoing)]
    }

    /// Whether it takes back a change's own fields alone, also where nothing stood before it.
    private var isRevert: Bool {
        if case .revert = request { true } else { false }
    }

    /// Whether everything there is goes back.
    private var isWhole: Bool { platforms == nil && fields == nil && thresholds == nil }

    private func decision(
        _ app: App,
        _ record: RollbackRecord,
        _ target: [Platform: Document],
        in logState: LogState,
        at now: Instant
    ) -> Decision {
        let stream = StreamName.app(app.slug)
        var decision = Decision(relyingOn: [.access, .service, stream])
        decision.append(.app(.rolledBack(record)), to: stream)
        decision.append(fieldEvents: target, of: app)
        if let review = logState.policy(of: app.slug).policy.rollbackReview {
            decision.append(
                .app(.rollbackReviewOrdered(review.order(owner: by, at: now))),
                to: stream
            )
        }
        return decision
    }

    private func target(
        of app: App,
        _ platforms: [Platform],
        _ fields: [Field]?
    ) -> [Platform: Document] {
        var target = app.documents
        for platform in platforms {
            let earlier = past.document(platform)
            guard let fields else {
                target[platform] = earlier
                continue
            }
            for field in fields where field.platform == platform {
                target[platform]?[field] = earlier[field]
            }
        }
        let values = (fields ?? []).filter { $0.part == .value }
        for field in app.fieldsMissing(in: target, touching: Set(values.compactMap(\.place))) {
            target[field.platform]?[field] = past.document(field.platform)[field]
        }
        return target
    }

    private func platforms(
        of app: App,
        _ fields: [Field]?,
        under strictness: Strictness = .full
    ) throws(Refusal) -> [Platform] {
        if let fields { return Set(fields.map(\.platform)).sorted() }
        guard let platforms else {
            return app.platformsThatGoBack(to: past, under: strictness)
        }
        let objections = app.objections(to: platforms, at: "/platforms") { ($0, nil) }
        guard objections.isEmpty else { throw Refusal(objections) }
        return platforms.sorted()
    }

    /// The fields that go back, those of whole thresholds behind the ones that are named; `nil`
    /// means all there are.
    private func fields(of app: App) throws(Refusal) -> [Field]? {
        guard fields != nil || thresholds != nil else { return nil }
        var objections: [Objection] = []
        if let fields {
            objections += app.objections(to: fields, at: "/fields") { ($0.platform, $0.threshold) }
        }
        if let thresholds {
            objections += app.objections(to: thresholds, at: "/thresholds") {
                ($0.platform, $0.name)
            }
        }
        let named = fields ?? []
        let places = Set(thresholds ?? [])
        let values = places.map { Field($0.platform, $0.name, .value) }
        let others = Set(app.fields(in: places, or: past) + values).subtracting(named).sorted()
        if named.count + others.count > Self.fieldsMaximum {
            let list: Pointer = others.isEmpty ? "/fields" : "/thresholds"
            objections = [.listTooLong(maximum: Self.fieldsMaximum, at: list)]
        }
        if platforms != nil { objections.append(.platformsAndFields) }
        guard objections.isEmpty else { throw Refusal(objections) }
        return named + others
    }
}

extension Document {
    /// Whether a rollback to the other leaves nothing of it that holds anybody back.
    ///
    /// Without thresholds a complete one is still written, and lets everybody in; whoever had none then,
    /// but offers, told their phones so. By the original rules that was refused as well.
    package func isEmptied(by other: Document, under strictness: Strictness = .full) -> Bool {
        let hasOthers = strictness != .original && (!other.offers.isEmpty || other.legacy != nil)
        return hasThresholds && !other.hasThresholds && !hasOthers || !isEmpty && other.isEmpty
    }
}

extension App {
    /// What there is of some thresholds, now or then.
    fileprivate func fields(in places: Set<ThresholdPlace>, or past: PastState) -> [Field] {
        Set(places.map(\.platform)).flatMap { platform in
            (document(platform).fields + past.document(platform).fields).filter {
                $0.place.map(places.contains) == true
            }
        }
    }

    /// The platforms whose documents going back to what they were then would empty.
    package func platformsEmptied(
        by past: PastState,
        under strictness: Strictness = .full
    ) -> [Platform] {
        settings.platforms.sorted().filter {
            document($0).isEmptied(by: past.document($0), under: strictness)
        }
    }

    /// The platforms that a rollback of the whole app writes, those added later left out.
    package func platformsThatGoBack(
        to past: PastState,
        under strictness: Strictness = .full
    ) -> [Platform] {
        let emptied = platformsEmptied(by: past, under: strictness)
        return settings.platforms.sorted().filter { !emptied.contains($0) }
    }

    /// What is wrong with a list of things that each belong to a platform, or to a threshold of one.
    fileprivate func objections<Entry: Hashable>(
        to entries: [Entry],
        at pointer: Pointer,
        _ belonging: (Entry) -> (platform: Platform, threshold: ThresholdName?)
    ) -> [Objection] {
        guard !entries.isEmpty else { return [.listEmpty(at: pointer)] }
        var seen: Set<Entry> = []
        return entries.enumerated().compactMap { index, entry -> Objection? in
            let place = pointer.appending(index)
            let (platform, threshold) = belonging(entry)
            guard has(platform) else { return .platformUnknown(slug, platform, at: place) }
            if let threshold, !platform.thresholds.contains(threshold) {
                return .thresholdUnknown(platform, threshold, at: place)
            }
            return seen.insert(entry).inserted ? nil : .repeated("\(entry)", at: place)
        }
    }
}

/// The documents of an app as they were after an earlier append.
package struct PastState: Equatable, Sendable {
    /// The last position of that append.
    package let position: Position
    /// Those that hold something.
    fileprivate let documents: [Platform: Document]

    package init(position: Position, documents: [Platform: Document]) {
        self.position = position
        self.documents = documents.filter { !$0.value.isEmpty }
    }

    package func document(_ platform: Platform) -> Document {
        documents[platform] ?? Document(platform: platform)
    }
}

extension App {
    /// What was withdrawn since is not what anybody wrote over.
    func withoutWithdrawn(_ past: PastState) -> PastState {
        PastState(position: past.position, documents: withoutWithdrawn(past.documents))
    }
}

/// Takes back what one applied change wrote, and nothing that came after it.
///
/// It is a rollback of the change's own fields to what stood there before it. A field that others
/// wrote since is in conflict, unless it is to be kept; one that went back already is left alone.
package struct RevertChange: Command {
    package let app: AppSlug
    package let change: ChangeID
    /// What stood before the change, and after it, read from the log.
    package let before: PastState
    package let after: PastState
    /// The fields in which later work stays.
    package let keep: [Field]
    package let reason: Reason?
    package let by: PrincipalID

    package init(
        _ change: ChangeID,
        of app: AppSlug,
        before: PastState,
        after: PastState,
        keep: [Field] = [],
        reason: Reason?,
        by: PrincipalID
    ) {
        self.change = change
        self.app = app
        self.before = before
        self.after = after
        self.keep = keep
        self.reason = reason
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        try logState.require(.responder, of: by, in: .app(app))
        let rollback = try rollback(in: logState.existingApp(app), under: logState.strictness)
        return try rollback.decide(in: logState, at: now)
    }

    /// The documents as they would be.
    package func documents(in app: App) throws(Refusal) -> [Platform: Document] {
        try rollback(in: app).documents(in: app)
    }

    private func rollback(
        in app: App,
        under strictness: Strictness = .full
    ) throws(Refusal) -> RollBack {
        let fields = try reversal(in: app, under: strictness).fields
        guard !fields.isEmpty else { throw Refusal(.nothingChanges) }
        return RollBack(
            app: app.slug,
            fields: fields,
            request: .revert(change),
            past: before,
            reason: reason,
            by: by
        )
    }

    /// What goes back, with everything refused that has to be decided first.
    private func reversal(
        in app: App,
        under strictness: Strictness
    ) throws(Refusal) -> Reversal {
        let (before, after) = (app.withoutWithdrawn(before), app.withoutWithdrawn(after))
        let reversal = Reversal(of: app, from: before, to: after) { field in
            strictness != .original && app.isWritten(field, byOthersThan: change)
        }
        var objections: [Objection] = []
        for (index, field) in keep.enumerated() where !reversal.written.contains(field) {
            objections.append(.notWritten(field, change, at: Pointer("/keep").appending(index)))
        }
        let later = Set(keep)
        for field in reversal.conflicts where !later.contains(field) {
            objections.append(.overwritten(field, app.lastWrite(of: field), change))
        }
        let kept = reversal.keeping(later)
        if kept.fields.count > RollBack.fieldsMaximum {
            objections.append(.listTooLong(maximum: RollBack.fieldsMaximum, at: "/to"))
        }
        guard objections.isEmpty else { throw Refusal(objections) }
        return kept
    }
}

/// What taking one change back means, field by field: a merge of what stood before it, what it left
/// and what is live.
private struct Reversal {
    /// All that the change wrote.
    let written: Set<Field>
    /// Those that are as it left them: they go back.
    private(set) var fields: [Field]
    /// Those that hold something else by now, and not what stood before it either, and those that
    /// another change in force wrote since, if with the same.
    let conflicts: [Field]

    init(
        of app: App,
        from before: PastState,
        to after: PastState,
        isWrittenByOthers: (Field) -> Bool
    ) {
        let changes = app.settings.platforms.sorted().flatMap { platform in
            before.document(platform).changes(to: after.document(platform))
        }
        func live(_ field: Field) -> FieldValue? { app.document(field.platform)[field] }
        written = Set(changes.map(\.field))
        fields = changes.filter {
            live($0.field) == $0.after && !isWrittenByOthers($0.field)
        }.map(\.field)
        conflicts = changes.filter {
            live($0.field) != $0.before
                && (live($0.field) != $0.after || isWrittenByOthers($0.field))
        }.map(\.field)
    }

    /// The same without the fields in which what is live stays.
    func keeping(_ kept: Set<Field>) -> Reversal {
        var reversal = self
        reversal.fields.removeAll(where: kept.contains)
        return reversal
    }
}

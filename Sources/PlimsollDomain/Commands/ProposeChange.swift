/// Puts operations up for approval.
package struct ProposeChange: Command {
    package let app: AppSlug
    package let title: Title
    package let reason: Reason?
    package let base: Position
    package let operations: [Operation]
    /// When it is to come into force; `nil` with the last approval.
    package let schedule: Schedule?
    /// What stood at the base, read from the log; without it every later write is a conflict.
    package let past: PastState?
    /// What it is made of; open changes that its author made of the same are superseded.
    package let source: Title?
    package let by: PrincipalID

    /// Every threshold of every platform with both texts in a hundred languages, and more.
    package static let operationsMaximum = 4000

    /// How many changes of an app may wait to be decided: they are kept in memory, and nobody could
    /// look through more.
    package static let openChangesMaximum = 1000

    /// How many of them one author may have, so that room is left for others.
    package static let ownChangesMaximum = 100

    package init(
        app: AppSlug,
        title: Title,
        reason: Reason?,
        base: Position,
        operations: [Operation],
        schedule: Schedule? = nil,
        past: PastState? = nil,
        source: Title? = nil,
        by: PrincipalID
    ) {
        self.app = app
        self.title = title
        self.reason = reason
        self.base = base
        self.operations = operations
        self.schedule = schedule
        self.past = past
        self.source = source
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        try logState.require(.proposer, of: by, in: .app(app))
        let target = try logState.existingApp(app)
        let edits = SparingOperations(operations)
        let earlier = logState.openChanges(of: app, from: source, by: by)
        if let same = earlier.first(where: { says(what: $0, in: target, logState) }) {
            throw Refusal(.proposedAlready(same.id))
        }
        var objections = logState.objections(
            to: edits,
            of: target,
            base: base,
            past,
            schedule,
            at: now
        )
        if logState.openChangeCount(of: app) - earlier.count >= Self.openChangesMaximum {
            objections.append(.openChangesFull(app, maximum: Self.openChangesMaximum))
        }
        if logState.hasNoRoom(for: by, in: app, without: earlier.count) {
            objections.append(.ownChangesFull(app, maximum: Self.ownChangesMaximum))
        }
        objections += schedule?.objections(at: now) ?? []
        guard objections.isEmpty else { throw Refusal(objections) }
        let stream = StreamName.change(logState.nextChange)
        var decision = Decision(relyingOn: [.access, .service, .app(app)])
        decision.append(
            .change(.changeProposed(app: app, title: title, base: base)),
            to: stream
        )
        decision.append(operations, to: stream)
        for change in earlier {
            decision.append(
                .change(.changeSuperseded(by: logState.nextChange)),
                to: .change(change.id)
            )
        }
        if let source { decision.append(.change(.changeSourced(source)), to: stream) }
        if schedule != nil { decision.append(.change(.changeScheduled(schedule)), to: stream) }
        return decision
    }

    /// Whether an open change says just this already.
    private func says(what change: Change, in app: App, _ logState: LogState) -> Bool {
        change.operations == operations && change.schedule == schedule
            && !logState.hasMoved(under: change, in: app)
    }
}

extension LogState {
    /// The open changes that an author made of a source, in the order of the numbers.
    fileprivate func openChanges(
        of app: AppSlug,
        from source: Title?,
        by author: PrincipalID
    ) -> [Change] {
        guard let source else { return [] }
        return openChanges(of: app).filter { $0.author == author && $0.source == source }
    }

    /// Whether an author has as many open changes of an app as they may; earlier logs may have more.
    fileprivate func hasNoRoom(
        for author: PrincipalID,
        in app: AppSlug,
        without superseded: Int
    ) -> Bool {
        let most = ProposeChange.ownChangesMaximum + superseded
        guard strictness != .original, openChangeCount(of: app) >= most else { return false }
        return openChanges(of: app).count { $0.author == author } >= most
    }

    /// What is wrong with edits that somebody thought of at the base.
    func objections(
        to edits: SparingOperations,
        of app: App,
        base: Position,
        _ past: PastState?,
        _ schedule: Schedule?,
        at now: Instant
    ) -> [Objection] {
        var objections = app.grammarObjections(to: edits.sent)
        if strictness != .original { objections += app.objectionsToInvisible(in: edits.sent) }
        if base > position { objections.append(.baseAhead(base: base, head: position)) }
        guard objections.isEmpty else { return objections }
        let operations = edits.kept(in: app)
        let after = app.documents(applying: operations)
        let effect = app.effect(leadingTo: after)
        let offerObjections = app.offerObjections(to: edits)
        let repeating = objectionsToRepeating(operations, of: app, schedule)
        if effect.isEmpty, offerObjections.isEmpty, repeating.isEmpty {
            objections.append(.nothingChanges)
        }
        objections += conflicts(of: effect, in: app, since: base, past)
        objections += offerObjections
        objections += app.missingTexts(in: after, touchedBy: operations)
        objections += objectionsToTwins(in: after, touching: Set(operations.map(\.platform)))
        objections += objectionsToOutliving(effect, of: app.slug, schedule, at: now)
        objections += repeating
        objections += objectionsOfChecks(to: operations, of: app, at: now)
        return objections
    }
}

extension Decision {
    /// Appends the operations of a change, in parts.
    mutating func append(_ operations: [Operation], to stream: StreamName) {
        for part in parts(of: operations) {
            append(.change(.operationsAdded(part)), to: stream)
        }
    }
}

/// Splits a list so that every part stays within an entry even when each text has
/// its full length in a script of four bytes a letter, or is escaped.
private func parts(of operations: [Operation]) -> [[Operation]] {
    var parts: [[Operation]] = []
    var part: [Operation] = []
    var weight = 0
    for operation in operations {
        let next = operation.weight
        if weight + next > operationsWeightMaximum, !part.isEmpty {
            parts.append(part)
            (part, weight) = ([], 0)
        }
        part.append(operation)
        weight += next
    }
    return part.isEmpty ? parts : parts + [part]
}

/// Leaves room in an entry of 65 535 bytes for what stands around the operations, a reason of
/// 4 000 characters of four bytes included.
private let operationsWeightMaximum = 48_000

extension Operation {
    /// An upper bound of its bytes in canonical JSON.
    fileprivate var weight: Int {
        let frame = 200
        return switch subject {
        case .threshold(_, .setText(_, _, let text)): frame + text.weight
        case .threshold: frame
        case .legacy: 2 * frame
        case .packages(let edit): frame + 25 * edit.versions.count
        case .offers(let edit): frame + edit.offers.reduce(0) { $0 + $1.weight }
        }
    }
}

extension App {
    /// What is wrong with operations whatever the app is like at the moment.
    func grammarObjections(to operations: [Operation]) -> [Objection] {
        guard !operations.isEmpty else { return [.listEmpty(at: "/operations")] }
        guard operations.count <= ProposeChange.operationsMaximum else {
            return [.listTooLong(maximum: ProposeChange.operationsMaximum, at: "/operations")]
        }
        var seen = EditedFields()
        return operations.enumerated().flatMap { index, operation in
            // Nearly always nothing is wrong, and there is nothing to point at.
            var pointer: Pointer { Pointer("/operations").appending(index) }
            var objections: [Objection] = []
            if !has(operation.platform) {
                objections.append(
                    .platformUnknown(slug, operation.platform, at: pointer.appending("platform"))
                )
            } else if let threshold = operation.threshold,
                !operation.platform.thresholds.contains(threshold)
            {
                objections.append(
                    .thresholdUnknown(
                        operation.platform,
                        threshold,
                        at: pointer.appending("threshold")
                    )
                )
            }
            if case .setValue(let value) = operation.edit,
                value.kind != operation.platform.versionKind
            {
                objections.append(
                    .valueOfWrongKind(
                        operation.platform.versionKind,
                        at: pointer.appending("value")
                    )
                )
            }
            if let repeated = seen.add(operation) {
                objections.append(.repeated(repeated, at: pointer))
            }
            return objections
        }
    }
}

/// Which fields a list of operations has written so far: each may be written once, but for offers,
/// whose edits follow each other.
private struct EditedFields {
    private var fields: Set<Field> = []
    private var cleared: Set<ThresholdPlace> = []
    private var touched: Set<ThresholdPlace> = []

    /// The name of what is written for the second time, or `nil`.
    mutating func add(_ operation: Operation) -> String? {
        if case .legacy = operation.subject, let field = operation.field {
            return fields.insert(field).inserted ? nil : field.path
        }
        guard let place = operation.place else { return nil }
        let isFresh = !cleared.contains(place)
        if let field = operation.field {
            touched.insert(place)
            return fields.insert(field).inserted && isFresh ? nil : field.path
        }
        cleared.insert(place)
        guard isFresh, !touched.contains(place) else {
            return "\(place.platform.rawValue).\(place.name.rawValue)"
        }
        return nil
    }
}

extension LogState {
    /// The fields of the effect that somebody wrote after the position; where it is known what stood
    /// there then, those that hold something else now.
    func conflicts(
        of effect: [FieldChange],
        in app: App,
        since base: Position,
        _ past: PastState?
    ) -> [Objection] {
        guard strictness != .original, let past else {
            return app.conflicts(of: effect, since: base)
        }
        let moved = effect.filter { change in
            let (field, platform) = (change.field, change.field.platform)
            return past.document(platform)[field] != app.document(platform)[field]
        }
        return app.conflicts(of: moved, since: base)
    }
}

extension App {
    /// Whether somebody wrote what the operations would write after the position.
    package func isWritten(by operations: [Operation], after base: Position) -> Bool {
        !conflicts(of: effect(of: operations), since: base).isEmpty
    }

    /// The fields of the effect that somebody wrote after the position.
    func conflicts(of effect: [FieldChange], since base: Position) -> [Objection] {
        effect.compactMap { change in
            guard let write = lastWrite(of: change.field), write.position > base else { return nil }
            return .changedSince(change.field, write, base: base)
        }
    }
}

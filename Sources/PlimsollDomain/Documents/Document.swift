/// The state of one app on one platform: its thresholds and its offers.
package struct Document: Codable, Equatable, Sendable {
    package let platform: Platform
    private var thresholds: [ThresholdName: Threshold] = [:]
    /// What clients of Prince of Versions are offered; where there is nothing, it is derived.
    package var offers: [Offer] = []
    /// What those before 4.0 are told word for word; where there is nothing, it is derived.
    package var legacy: LegacyOffer?
    /// The packages that marketplaces offer, in the order in which people see them.
    package var packages: [AppleVersionID] = []

    package init(platform: Platform) {
        self.platform = platform
    }

    /// A threshold that was never set is empty.
    package subscript(name: ThresholdName) -> Threshold {
        get { thresholds[name] ?? Threshold() }
        set { thresholds[name] = newValue.isEmpty ? nil : newValue }
    }

    /// Edits a threshold where it lies: a copy would have copies of all its texts.
    mutating func edit(_ name: ThresholdName, _ body: (inout Threshold) -> Void) {
        body(&thresholds[name, default: Threshold()])
        if thresholds[name]?.isEmpty == true { thresholds[name] = nil }
    }

    package var isEmpty: Bool {
        thresholds.isEmpty && offers.isEmpty && legacy == nil && packages.isEmpty
    }

    package var hasThresholds: Bool { !thresholds.isEmpty }

    /// What stands in a field of this document's platform.
    ///
    /// A field takes only what fits it: offers, a version where a value stands, a text elsewhere.
    package subscript(field: Field) -> FieldValue? {
        get {
            switch field.subject {
            case .threshold(let name, let part): self[name][part]
            case .offers: offers.isEmpty ? nil : .offers(offers)
            case .legacy: legacy.map(FieldValue.legacy)
            case .packages: packages.isEmpty ? nil : .packages(packages)
            }
        }
        set {
            precondition(field.platform == platform, "a field belongs to its own platform")
            switch (field.subject, newValue) {
            case (.threshold(let name, let part), _): self[name][part] = newValue
            case (.offers, .offers(let list)): offers = list
            case (.offers, nil): offers = []
            case (.legacy, .legacy(let object)): legacy = object
            case (.legacy, nil): legacy = nil
            case (.packages, .packages(let list)): packages = list
            case (.packages, nil): packages = []
            case (.offers, _), (.legacy, _), (.packages, _):
                preconditionFailure("a field value is read as its field demands")
            }
        }
    }

    /// Every field that holds something, in the order of their paths.
    package var fields: [Field] {
        let fields = thresholds.flatMap { name, threshold in
            threshold.parts.map { Field(platform, name, $0) }
        }
        return (fields + otherFields.filter { self[$0] != nil }).sorted()
    }

    /// Those that are no part of a threshold.
    private var otherFields: [Field] {
        [.offers(of: platform), .legacy(of: platform)] + (platform == .ios ? [.packages] : [])
    }

    /// What has to change for this document to become the other, in the order of the paths.
    package func changes(to other: Document) -> [FieldChange] {
        precondition(platform == other.platform, "documents of two platforms share no field")
        guard self != other else { return [] }
        let changes = ThresholdName.allCases.flatMap { name -> [FieldChange] in
            guard thresholds[name] != other.thresholds[name] else { return [] }
            return self[name].changes(to: other[name]).map { part, before, after in
                FieldChange(field: Field(platform, name, part), before: before, after: after)
            }
        }
        let others = otherFields.filter { self[$0] != other[$0] }.map {
            FieldChange(field: $0, before: self[$0], after: other[$0])
        }
        return (changes + others).sorted { $0.field < $1.field }
    }
}

extension Threshold {
    /// What of it holds something.
    fileprivate var parts: [FieldPart] {
        (value == nil ? [] : [.value])
            + titles.keys.map { .text(.title, $0) }
            + descriptions.keys.map { .text(.description, $0) }
    }

    /// What it and the other do not hold alike, before and after, in the order of the parts.
    fileprivate func changes(
        to other: Threshold
    ) -> [(part: FieldPart, before: FieldValue?, after: FieldValue?)] {
        var changes: [(part: FieldPart, before: FieldValue?, after: FieldValue?)] = []
        for part in [TextPart.description, .title] {
            let (before, after) = (texts(part), other.texts(part))
            for language in languages(of: part, unlike: other) {
                let (old, new) = (before[language], after[language])
                changes.append(
                    (.text(part, language), old.map(FieldValue.text), new.map(FieldValue.text))
                )
            }
        }
        if value != other.value {
            let (old, new) = (value, other.value)
            changes.append((.value, old.map(FieldValue.version), new.map(FieldValue.version)))
        }
        return changes
    }

    /// In which languages the part says something else there, in order.
    func languages(of part: TextPart, unlike other: Threshold) -> [LanguageTag] {
        let (mine, theirs) = (texts(part), other.texts(part))
        guard mine != theirs else { return [] }
        let changed = mine.lazy.filter { theirs[$0.key] != $0.value }.map(\.key)
        let added = theirs.keys.lazy.filter { mine[$0] == nil }
        return (Array(changed) + added).sorted()
    }
}

/// A state of an app's documents, as a person names it.
package enum StateName: Hashable, Sendable {
    case live
    /// After the append that the event belongs to.
    case event(Position)
    case time(Instant)
    /// As the change left it; while the change is open, as it would leave what is live.
    case change(ChangeID)
    /// As it was published.
    case snapshot(SnapshotSequence)
    /// As a rollback of all of it would leave it.
    case rollback(RollbackTarget)

    /// Reads what ``text`` gives.
    package init?(_ text: String) {
        guard text != "live" else {
            self = .live
            return
        }
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let name = Self.named(parts[0], parts[1]) else { return nil }
        self = name
    }

    private static func named(_ kind: String, _ value: String) -> StateName? {
        switch kind {
        case "event": Int64(value).flatMap(Position.init(rawValue:)).map { .event($0) }
        case "time": Instant(rfc3339: value).map { .time($0) }
        case "change": ChangeID(value).map { .change($0) }
        case "snapshot":
            Int64(value).flatMap(SnapshotSequence.init(rawValue:)).map { .snapshot($0) }
        case "rollback": RollbackTarget(value).map { .rollback($0) }
        default: nil
        }
    }

    package var text: String {
        switch self {
        case .live: "live"
        case .event(let position): "event:\(position)"
        case .time(let instant): "time:\(instant.rfc3339)"
        case .change(let id): "change:\(id)"
        case .snapshot(let sequence): "snapshot:\(sequence)"
        case .rollback(let target): "rollback:\(target.text)"
        }
    }
}

/// The state of one app on one platform: its thresholds.
package struct Document: Equatable, Sendable {
    package let platform: Platform
    private var thresholds: [ThresholdName: Threshold] = [:]

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

    package var isEmpty: Bool { thresholds.isEmpty }

    /// What stands in a field of this document's platform.
    ///
    /// A field takes only what fits it: a version where a value stands, a text elsewhere.
    package subscript(field: Field) -> FieldValue? {
        get { self[field.threshold][field.part] }
        set {
            precondition(field.platform == platform, "a field belongs to its own platform")
            self[field.threshold][field.part] = newValue
        }
    }

    /// Every field that holds something, in the order of their paths.
    package var fields: [Field] {
        thresholds.flatMap { name, threshold in
            threshold.parts.map { Field(platform, name, $0) }
        }.sorted()
    }

    /// What has to change for this document to become the other, in the order of the paths.
    package func changes(to other: Document) -> [FieldChange] {
        precondition(platform == other.platform, "documents of two platforms share no field")
        return ThresholdName.allCases.flatMap { name in
            let (before, after) = (self[name], other[name])
            return before.parts(unlike: after).map { part in
                FieldChange(
                    field: Field(platform, name, part),
                    before: before[part],
                    after: after[part]
                )
            }
        }.sorted { $0.field < $1.field }
    }
}

extension Threshold {
    /// What of it holds something.
    fileprivate var parts: [FieldPart] {
        (value == nil ? [] : [.value])
            + titles.keys.map { .text(.title, $0) }
            + descriptions.keys.map { .text(.description, $0) }
    }

    /// What it and the other do not hold alike.
    fileprivate func parts(unlike other: Threshold) -> [FieldPart] {
        guard self != other else { return [] }
        return Set(parts).union(other.parts).filter { self[$0] != other[$0] }
    }
}

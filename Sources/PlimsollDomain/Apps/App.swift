import HashTreeCollections

/// One app as its events have left it.
package struct App: Equatable, Sendable {
    package let slug: AppSlug
    package let settings: AppSettings
    package private(set) var documents: [Platform: Document]
    private var writes: TreeDictionary<Field, FieldWrite> = [:]

    init(slug: AppSlug, settings: AppSettings) {
        self.slug = slug
        self.settings = settings
        documents = Dictionary(
            uniqueKeysWithValues: settings.platforms.map { ($0, Document(platform: $0)) }
        )
    }

    package func has(_ platform: Platform) -> Bool { documents[platform] != nil }

    /// The document of one of the app's platforms.
    package func document(_ platform: Platform) -> Document {
        documents[platform] ?? Document(platform: platform)
    }

    /// Who wrote the field last, and where that stands in the log.
    package func lastWrite(of field: Field) -> FieldWrite? {
        writes[field]
    }

    mutating func evolve(_ event: AppEvent, write: FieldWrite) {
        if let operation = event.operation { apply(operation, write) }
    }

    private mutating func apply(_ operation: Operation, _ write: FieldWrite) {
        if let field = operation.field {
            writes[field] = write
        } else {
            let document = document(operation.platform)
            for field in document.fields where field.threshold == operation.threshold {
                writes[field] = write
            }
        }
        documents[operation.platform, default: Document(platform: operation.platform)]
            .apply(operation)
    }
}

/// Who wrote a field, and when.
package struct FieldWrite: Equatable, Sendable {
    package let position: Position
    package let actor: PrincipalID
    package let recordedAt: Instant

    package init(position: Position, actor: PrincipalID, recordedAt: Instant) {
        self.position = position
        self.actor = actor
        self.recordedAt = recordedAt
    }
}

extension AppEvent {
    /// The edit that the event records, if it records one.
    package var operation: Operation? {
        switch self {
        case .appRegistered, .rolledBack, .renewalOrdered: nil
        case .thresholdSet(let platform, let name, let value):
            Operation(platform, name, .setValue(value))
        case .thresholdCleared(let platform, let name):
            Operation(platform, name, .clearThreshold)
        case .textSet(let platform, let name, let part, let language, let text):
            Operation(platform, name, .setText(part, language, text))
        case .textRemoved(let platform, let name, let part, let language):
            Operation(platform, name, .removeText(part, language))
        }
    }

    /// The event that records an edit.
    package init(_ operation: Operation) {
        let (platform, name) = (operation.platform, operation.threshold)
        self =
            switch operation.edit {
            case .setValue(let value): .thresholdSet(platform, name, value)
            case .clearThreshold: .thresholdCleared(platform, name)
            case .setText(let part, let language, let text):
                .textSet(platform, name, part, language, text)
            case .removeText(let part, let language): .textRemoved(platform, name, part, language)
            }
    }
}

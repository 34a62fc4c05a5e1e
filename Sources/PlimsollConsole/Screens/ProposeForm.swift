import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// One platform's document as a form: a field for every value and every text.
///
/// What was typed is held against what stood at the base; only what differs becomes an edit.
struct ProposeForm {
    let app: AppAnswer
    let platform: Platform
    let base: Position
    /// What stood in each field at the base.
    let standing: [Field: FieldValue]
    /// The change that is revised, if one is.
    let change: ChangeAnswer?
    /// What stands in the form before anybody types, by the names of its fields.
    let prefill: FormFields

    /// The fields that a person fills in here, in the order of the page: whatever the change that is
    /// revised writes has one.
    private var places: [(ThresholdName, [Field])] {
        let written = Set(standing.keys).union(change?.operations.compactMap(\.field) ?? [])
            .filter { $0.platform == platform && $0.part != .value }
        return platform.thresholds.map { name in
            let texts = written.filter { $0.threshold == name }
                .union(
                    name.partsShown.flatMap { part in
                        app.settings.languages.map { Field(platform, name, .text(part, $0)) }
                    }
                )
            return (name, [Field(platform, name, .value)] + texts.sorted())
        }
    }

    /// What its fields are called in a form, and in an address.
    var names: Set<String> { Set(places.flatMap(\.1).map(\.path)) }

    /// The edits that lead from what stood at the base to what was typed.
    func operations(typed visit: Visit) throws -> [Operation] {
        var operations: [Operation] = []
        for (name, fields) in places {
            let typed = fields.map { (field: $0, text: visit.form.whole($0.path)) }
            let isEmptied = typed.allSatisfy { $0.text?.isEmpty == true }
            if isEmptied, typed.contains(where: { standing[$0.field] != nil }) {
                operations.append(Operation(platform, name, .clearThreshold))
                continue
            }
            for (field, text) in typed {
                guard let text, text != standing[field]?.description ?? "" else { continue }
                operations.append(try operation(field, name, text, visit))
            }
        }
        return operations
    }

    /// Whether something was typed here, or prefilled, that does not stand there already.
    func isTouched(_ visit: Visit) -> Bool {
        places.flatMap(\.1).contains { field in
            let typed = visit.form.whole(field.path) ?? prefill.whole(field.path)
            return typed.map { $0 != initial(field) } ?? false
        }
    }

    /// All that the form would send of a platform that is not shown at present.
    func carried(_ visit: Visit) -> [Fields] {
        places.flatMap(\.1).map { ["name": $0.path, "value": shown($0, visit)] }
    }

    private func operation(
        _ field: Field,
        _ name: ThresholdName,
        _ text: String,
        _ visit: Visit
    ) throws -> Operation {
        let edit: Operation.Edit
        switch field.part {
        case .text(let part, let language)?:
            edit =
                text.isEmpty
                ? .removeText(part, language)
                : .setText(
                    part,
                    language,
                    try visit.needed(field.path) { _ in
                        try Text(validating: text)
                    }
                )
        case .value?, nil:
            edit =
                text.isEmpty
                ? .clearValue
                : .setValue(try visit.version(field.path, on: field.platform))
        }
        return Operation(platform, name, edit)
    }

    /// What the page shows: what was typed, else what an address prefills, else what stands there.
    func fields(_ visit: Visit) -> [Fields] {
        places.map { name, fields in
            let hasText = fields.contains { $0.part != .value && !shown($0, visit).isEmpty }
            let texts = fields.dropFirst().map { field in
                input(field, isWanted: hasText && field.part.map(isRequired) == true, visit)
            }
            return [
                "threshold": visit.language["threshold.\(name.rawValue)"],
                "value": fields.prefix(1).map { input($0, isWanted: false, visit) },
                "texts": texts,
                "isOpen": texts.contains {
                    $0.present["live"] != nil || $0["isMissing"] as? Bool == true
                },
            ]
        }
    }

    private func input(_ field: Field, isWanted: Bool, _ visit: Visit) -> Fields {
        let (shown, standing) = (shown(field, visit), standing[field]?.description ?? "")
        var language: LanguageTag?
        if case .text(_, let tag)? = field.part { language = tag }
        return Fields(all: [
            "path": field.path, "label": field.name(visit.language), "value": shown,
            "live": standing == shown || standing.isEmpty ? nil : standing,
            "language": language?.text,
            "length": shown.unicodeScalars.count, "maximum": Text.scalarsMaximum,
            "isMissing": isWanted && shown.isEmpty,
            "hint": language == nil
                ? visit.wording(nil)(field.platform.versionKind.grammar, as: .phrase) : nil,
        ])
    }

    private func shown(_ field: Field, _ visit: Visit) -> String {
        visit.form.whole(field.path) ?? prefill.whole(field.path)
            ?? initial(field)
    }

    /// What stands in the form before anybody types.
    private func initial(_ field: Field) -> String {
        proposed(field) ?? standing[field]?.description ?? ""
    }

    /// What a revised change says; nothing where it takes the field away.
    private func proposed(_ field: Field) -> String? {
        let effect = change?.effect.first { $0.field == field }
        return effect.map { $0.after?.description ?? "" }
    }

    private func isRequired(_ part: FieldPart) -> Bool {
        if case .text(_, let language) = part {
            app.settings.languages.contains(language)
        } else {
            false
        }
    }
}

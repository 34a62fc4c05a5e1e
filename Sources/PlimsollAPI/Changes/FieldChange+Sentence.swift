package import PlimsollDomain

extension FieldChange {
    /// What changes, in a line: `iOS minimum app 3.1.0 → 3.2.0`.
    package var sentence: String {
        switch (before, after) {
        case (.version(let before), .version(let after)): "\(field.name) \(before) → \(after)"
        case (nil, .version(let after)): "\(field.name) unset → \(after)"
        case (.version(let before), nil): "\(field.name) \(before) → unset"
        case (.offers(let before), .offers(let after)):
            "\(field.name) \(before.count) → \(after.count)"
        case (nil, .offers(let after)): "\(field.name) derived → \(after.count)"
        case (.offers(let before), nil): "\(field.name) \(before.count) → derived"
        case (.legacy(let before), .legacy(let after)):
            "\(field.name) \(before.sentence) → \(after.sentence)"
        case (nil, .legacy(let after)): "\(field.name) derived → \(after.sentence)"
        case (.legacy(let before), nil): "\(field.name) \(before.sentence) → derived"
        case (nil, _): "\(field.name) added"
        case (_, nil): "\(field.name) removed"
        default: "\(field.name) rewritten"
        }
    }
}

/// Edits as they were sent, and the fields that they are to leave as they are.
struct SparingOperations {
    let sent: [Operation]
    private let spared: Set<Field>

    init(_ sent: [Operation], sparing spared: Set<Field> = []) {
        (self.sent, self.spared) = (sent, spared)
    }

    /// Whether nothing is left of an edit.
    func spares(_ operation: Operation) -> Bool {
        operation.field.map(spared.contains) ?? false
    }

    /// The edits without what they would do to those fields.
    func kept(in app: App) -> [Operation] {
        guard !spared.isEmpty else { return sent }
        return sent.flatMap { operation -> [Operation] in
            if operation.field != nil { return spares(operation) ? [] : [operation] }
            guard spared.contains(where: { $0.place == operation.place }) else {
                return [operation]
            }
            let others = app.document(operation.platform).fields.filter {
                $0.place == operation.place && !spared.contains($0)
            }
            return others.compactMap(Operation.init(clearing:))
        }
    }
}

extension Operation {
    /// `nil` for offers, which are no part of a threshold.
    fileprivate init?(clearing field: Field) {
        switch field.subject {
        case .offers, .legacy: return nil
        case .threshold(let name, .value): self.init(field.platform, name, .clearValue)
        case .threshold(let name, .text(let part, let language)):
            self.init(field.platform, name, .removeText(part, language))
        }
    }
}

/// What becomes of a field that somebody wrote after the base of a change that is revised.
package enum ConflictChoice: String, CaseIterable, Sendable {
    /// What the change says.
    case mine
    /// What is live.
    case theirs
}

extension App {
    /// The edits without what they would do to some fields.
    func operations(_ operations: [Operation], sparing fields: Set<Field>) -> [Operation] {
        guard !fields.isEmpty else { return operations }
        return operations.flatMap { operation -> [Operation] in
            if let field = operation.field { return fields.contains(field) ? [] : [operation] }
            guard fields.contains(where: { $0.place == operation.place }) else {
                return [operation]
            }
            let others = document(operation.platform).fields.filter {
                $0.place == operation.place && !fields.contains($0)
            }
            return others.map(Operation.init(clearing:))
        }
    }
}

extension Operation {
    fileprivate init(clearing field: Field) {
        switch field.part {
        case .value: self.init(field.platform, field.threshold, .clearValue)
        case .text(let part, let language):
            self.init(field.platform, field.threshold, .removeText(part, language))
        }
    }
}

/// One thing that is wrong with a document, and where.
package struct JSONIssue: Error, Hashable, Sendable {
    package let pointer: JSONPointer

    /// A sentence: what was found and what is needed.
    package let detail: String

    package init(pointer: JSONPointer, detail: String) {
        self.pointer = pointer
        self.detail = detail
    }
}

/// All that is wrong with a document, in the order it was met; never empty.
package struct JSONIssues: Error, Equatable, Sendable {
    /// The first hundred: whoever mends these is told of the others next.
    package let issues: [JSONIssue]

    private static let maximum = 100

    package init(_ issues: [JSONIssue]) {
        precondition(!issues.isEmpty, "a document without issues is not refused")
        self.issues = Array(issues.prefix(Self.maximum))
    }
}

extension JSONIssues {
    /// A document that cannot be read has that one issue.
    package init(_ error: JSONError) {
        self.init([JSONIssue(pointer: error.pointer, detail: error.description)])
    }
}

extension JSONIssue: CustomStringConvertible {
    package var description: String {
        pointer == .root ? detail : "\(pointer): \(detail)"
    }
}

extension JSONIssues: CustomStringConvertible {
    package var description: String {
        issues.map(\.description).joined(separator: " ")
    }
}

/// One thing that stands in a command's way.
///
/// Each is declared once, with all that people and programs are told of it, in the file of what it
/// objects to. Two that tell the same are equal.
package struct Objection: Equatable, Sendable {
    /// Faces choose their status by it; `docs/reference/problems.md` has the same table.
    package let kind: ObjectionKind
    /// A stable name for programs: the one that it is declared under.
    package let code: String
    /// Where in the request it stands, if it stands at one place.
    package let pointer: Pointer?
    /// What is wrong: the subject, what was found, and what is needed.
    package let detail: String
    /// What clears it.
    package let remedy: String
    /// What it is about, if some rule or face asks.
    package let subject: Subject?

    /// What rules and faces tell objections from others by, and take from them.
    package enum Subject: Equatable, Sendable {
        /// The time, event, change or edits that a question names the documents by.
        case moment
        /// The platform that a question asks about.
        case platform
        /// A field that others wrote.
        case conflict(Field)
        /// An open change that says the same.
        case known(ChangeID)
        /// A change that is not open any more.
        case decided
        /// A freeze in force.
        case freeze
        /// A minimum that is higher than the one that is asked for.
        case higher
    }

    init(
        _ kind: ObjectionKind,
        at pointer: Pointer? = nil,
        _ detail: String,
        remedy: String,
        subject: Subject? = nil,
        declaration: String = #function
    ) {
        self.kind = kind
        // Without the parameters: `changeClosed` of `changeClosed(_:_:)`.
        code = String(declaration.prefix { $0 != "(" })
        self.pointer = pointer
        self.detail = detail
        self.remedy = remedy
        self.subject = subject
    }
}

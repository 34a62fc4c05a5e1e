/// What becomes of a field that somebody wrote after the base of a change that is revised.
package enum ConflictChoice: String, CaseIterable, Sendable {
    /// What the change says.
    case mine
    /// What is live.
    case theirs
}

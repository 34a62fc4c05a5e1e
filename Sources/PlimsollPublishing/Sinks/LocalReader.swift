package import PlimsollDomain

/// A part of this process that reads the export directory, such as its edge.
///
/// It is told before the sinks and waited for: it costs microseconds, and what the log calls
/// published is then served.
package struct LocalReader: Sendable {
    let look: @Sendable (AppSlug) async -> Void

    /// Takes what has it look at the directory.
    package init(_ look: @escaping @Sendable (AppSlug) async -> Void) {
        self.look = look
    }
}

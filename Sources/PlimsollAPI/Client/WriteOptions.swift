import Foundation

/// How a write is to be taken: under which name, and whether for real.
package struct WriteOptions: Equatable, Sendable {
    /// Whether a write is carried out or only tried.
    package enum Mode: Sendable {
        case commit
        /// All checks are made, and nothing is written.
        case dryRun
    }

    package let mode: Mode
    /// The same key sent twice does it once.
    package let idempotencyKey: String
    /// What was asked under the key, where the body says more than that; `nil` is the body.
    package let input: String?

    package init(
        _ mode: Mode = .commit,
        idempotencyKey: String = UUID().uuidString.lowercased(),
        input: String? = nil
    ) {
        self.mode = mode
        self.idempotencyKey = idempotencyKey
        self.input = input
    }

    /// A key names one write, and a rehearsal is another one than the act.
    package func rehearsed() -> WriteOptions { WriteOptions(.dryRun) }

    var query: [(name: String, value: String)] {
        mode == .dryRun ? [("dryRun", "true")] : []
    }
}

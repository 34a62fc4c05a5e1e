/// What people read where a version is a code: three numbers between dots.
package struct VersionName: Hashable, Sendable {
    package let text: String

    /// As the clients of Prince of Versions before 4.0 compare them.
    package init?(_ text: String) {
        guard OfferVersion(written: text, on: .jvm) != nil else { return nil }
        self.text = text
    }

    package static let grammar = OfferVersion.grammar(on: .jvm)
}

/// What of an app's published bytes is another under other settings.
///
/// A name, the languages that are required and the one to fall back to stand in no document.
package struct SettingsEffect: Equatable, Sendable {
    /// The platforms whose document is written otherwise, or is new.
    package let documents: Set<Platform>
    /// Whether Prince of Versions is told otherwise.
    package let isTold: Bool

    package init(from before: AppSettings, to after: AppSettings) {
        let added = Set(after.platforms).subtracting(before.platforms)
        documents = before.profile == after.profile ? added : Set(after.platforms)
        isTold = !added.isEmpty || before.princeClients != after.princeClients
    }

    package var isEmpty: Bool { documents.isEmpty && !isTold }
}

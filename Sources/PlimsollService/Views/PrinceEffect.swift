import PlimsollDomain

/// All documents of an app before and after a change, of which clients of Prince of Versions are
/// told.
package struct PrinceEffect: Equatable, Sendable {
    package let before: AppDocumentsView
    package let after: AppDocumentsView

    /// `nil` where the operations do not fit what is live, and nothing could be told.
    init?(_ app: App, applying operations: [Operation], at now: Instant, _ position: Position) {
        guard app.objections(toTrying: operations).isEmpty else { return nil }
        func view(_ document: (Platform) -> Document) -> AppDocumentsView {
            AppDocumentsView(
                app: app.slug,
                documents: app.settings.platforms.sorted().map(document),
                princeClients: app.settings.princeClients,
                releases: app.releasesTold,
                at: now,
                position: position
            )
        }
        let applied = app.documents(applying: operations)
        before = view(app.document)
        after = view { applied[$0] ?? app.document($0) }
    }
}

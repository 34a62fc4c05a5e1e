extension LanguageTwins {
    /// What becomes of a phone that reads both.
    package static let harm = "on an iPhone the app ends whenever it reads them"
}

extension World {
    /// Languages of the documents on these platforms that phones take for one.
    func objectionsToTwins(
        in documents: [Platform: Document],
        touching platforms: Set<Platform>
    ) -> [Objection] {
        guard strictness == .full else { return [] }
        return platforms.sorted().flatMap { platform in
            (documents[platform]?.languageTwins ?? []).map { .languagesAlike(platform, $0) }
        }
    }

    /// The same of what a change leads to.
    func objectionsToTwins(in examined: ExaminedChange) -> [Objection] {
        objectionsToTwins(
            in: examined.after,
            touching: Set(examined.change.operations.map(\.platform))
        )
    }

    /// Those that are not live already: what was let through once keeps nobody from acting at once.
    func objectionsToTwins(
        in documents: [Platform: Document],
        notIn app: App
    ) -> [Objection] {
        let live = objectionsToTwins(in: app.documents, touching: Set(documents.keys))
        return objectionsToTwins(in: documents, touching: Set(documents.keys))
            .filter { !live.contains($0) }
    }

    /// The documents, with every text as it is live whose language would be taken for another's.
    func withoutNewTwins(
        _ documents: [Platform: Document],
        of app: App
    ) -> [Platform: Document] {
        var documents = documents
        for case .languagesAlike(let platform, let twins) in objectionsToTwins(
            in: documents,
            notIn: app
        ) {
            for change in app.document(platform).changes(
                to: documents[platform] ?? Document(platform: platform)
            )
            where change.field.language.map([twins.first, twins.second].contains) == true {
                documents[platform]?[change.field] = change.before
            }
        }
        return documents
    }
}

extension Field {
    /// The language of a text.
    package var language: LanguageTag? {
        if case .text(_, let language) = part { language } else { nil }
    }
}

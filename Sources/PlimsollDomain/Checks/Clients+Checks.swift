extension Document {
    /// The apps that would refuse what these changes lead to, each with all that it misses.
    func findingsOfReaders(
        after changes: [FieldChange],
        _ grounds: CheckGrounds
    ) -> [CheckFinding] {
        guard let change = changes.first(where: { $0.field.threshold != nil }) else { return [] }
        let document = published(grounds.settings.profile)
        let unread = document.unread(by: grounds.settings.readers).compactMap { unread in
            unread.faults.first.map {
                CheckFinding(.clientsCannotRead, $0.field, unread.sentence)
            }
        }
        guard grounds.strictness.mindsLengths, document.isLong else { return unread }
        let long = PublishedDocument.lengthSentence
        return unread + [CheckFinding(.clientsCannotRead, change.field, long)]
    }

    /// What people are told who read these changes.
    func findingsInAdvice(
        after changes: [FieldChange],
        _ releases: [Release]
    ) -> [CheckFinding] {
        let touched = Set(changes.compactMap(\.field.threshold))
        return platform.thresholds.filter(touched.contains).flatMap(languagesDiffer)
            + updateStillAdvised(after: changes, releases)
            + platform.thresholds.flatMap { textsNotRewritten($0, after: changes) }
    }

    /// A text that says something else in some languages, and in others what it said before; where a
    /// minimum rises, what is said in a language for the first time is something else as well.
    private func textsNotRewritten(
        _ name: ThresholdName,
        after changes: [FieldChange]
    ) -> [CheckFinding] {
        guard self[name].value?.holdsSomebodyBack == true else { return [] }
        let moves = changes.contains { $0.field == Field(platform, name, .value) }
        return name.partsShown.compactMap { part in
            var (rewritten, written): (Set<LanguageTag>, Set<LanguageTag>) = ([], [])
            for change in changes {
                guard case .threshold(name, .text(part, let language)) = change.field.subject
                else { continue }
                written.insert(language)
                if change.after != nil, moves || change.before != nil {
                    rewritten.insert(language)
                }
            }
            let left = self[name].texts(part).keys.filter { !written.contains($0) }.sorted()
            guard !rewritten.isEmpty, let first = left.first else { return nil }
            return CheckFinding(
                .textsNotRewritten,
                Field(platform, name, .text(part, first)),
                "\(platform.rawValue).\(name.rawValue).\(part.rawValue) says something else in"
                    + " \(rewritten.sorted().map(\.text).joined(separator: ", ")), and what it said"
                    + " before in \(left.map(\.text).joined(separator: ", "))."
            )
        }
    }

    /// Title and description are chosen each for itself.
    private func languagesDiffer(_ name: ThresholdName) -> [CheckFinding] {
        let threshold = self[name]
        guard name.partsShown.contains(.title), threshold.value?.holdsSomebodyBack == true else {
            return []
        }
        let (titles, descriptions) = (Set(threshold.titles.keys), Set(threshold.descriptions.keys))
        let lone = titles.symmetricDifference(descriptions).sorted()
        guard let first = lone.first else { return [] }
        let missing = titles.contains(first) ? TextPart.description : .title
        return [
            CheckFinding(
                .languagesDiffer,
                Field(platform, name, .text(missing, first)),
                "\(platform.rawValue).\(name.rawValue) has a title or a description alone in"
                    + " \(lone.map(\.text).joined(separator: ", ")): some phones show the two in"
                    + " different languages."
            )
        ]
    }

    /// The end of an app, said with the words of a minimum that an update satisfies.
    private func updateStillAdvised(
        after changes: [FieldChange],
        _ releases: [Release]
    ) -> [CheckFinding] {
        let field = Field(platform, .minimumApp, .value)
        guard let change = changes.first(where: { $0.field == field }),
            case .version(let before)? = change.before, case .version(let after)? = change.after,
            before.isOlder(than: after), isOutOfReach(after, before, releases)
        else { return [] }
        let rewritten = Set(changes.map(\.field))
        let left = self[.minimumApp].descriptions.keys.sorted().filter { language in
            !rewritten.contains(Field(platform, .minimumApp, .text(.description, language)))
        }
        guard !left.isEmpty else { return [] }
        return [
            CheckFinding(
                .updateStillAdvised,
                field,
                "\(field) rises from \(before) to \(after), which nobody can install, and people read"
                    + " what they read before in \(left.map(\.text).joined(separator: ", ")): it may"
                    + " still tell them to update."
            )
        ]
    }

    /// Whether no release satisfies it; where none is known, whether it is far from the next one.
    private func isOutOfReach(
        _ version: VersionValue,
        _ before: VersionValue,
        _ releases: [Release]
    ) -> Bool {
        guard releases.isEmpty else { return !releases.contains { $0.satisfies(version) } }
        switch (version, before) {
        case (.dotted, .dotted):
            return Int(version.comparable.first ?? 0) > Int(before.comparable.first ?? 0) + 1
        case (.integer(let version), .integer(let before)):
            return version.number / 10 > before.number
        case (.dotted, .integer), (.integer, .dotted): return false
        }
    }
}

extension PublishedDocument {
    /// What our own client takes unless it is told otherwise: the `bodyMaximum` of `PlimsollClient`.
    package static let ownClientMaximum = 4 << 20

    /// Nobody says here whether an app does; what is fetched otherwise has limits of its own.
    fileprivate static let lengthSentence =
        "An app that fetches with Plimsoll's client refuses the document, because it is longer than"
        + " 4 MiB, and keeps the last one that it could read."

    /// Whether our own client takes its bytes for too many, which are counted to a kilobyte.
    fileprivate var isLong: Bool {
        let texts = thresholds.values.flatMap { threshold in
            TextPart.allCases.flatMap { threshold.texts($0) ?? [:] }
        }
        // Quotation marks, a colon and a comma stand around a language and its text.
        let frame = texts.reduce(1024) { $0 + $1.key.text.utf8.count + 6 }
        let bytes = texts.reduce(frame) { $0 + $1.value.utf8.count }
        // Escaped they are twice as many at most, so nearly always nothing has to be read.
        guard 2 * bytes > Self.ownClientMaximum else { return false }
        return texts.reduce(frame) { $0 + Text.weight(of: $1.value) } > Self.ownClientMaximum
    }
}

extension CheckFinding {
    /// Whether it is of texts that are in every language again what they were together once.
    package func isOfTexts(as earlier: Document, in document: Document) -> Bool {
        guard check == .textsNotRewritten,
            case .threshold(let name, .text(let part, _)) = field.subject
        else { return false }
        return document[name].texts(part) == earlier[name].texts(part)
    }
}

/// Why a generation of clients refuses a whole document, and goes on with the last it could read.
package struct ReadingFault: Hashable, Sendable {
    package let platform: Platform
    package let threshold: ThresholdName
    package let kind: Kind

    /// What it misses.
    package enum Kind: Hashable, Sendable {
        case member
        case value
        case texts(TextPart)
        case language(TextPart, LanguageTag)
    }

    /// The first field that would have to be written.
    package var field: Field {
        switch kind {
        case .member, .value, .texts: Field(platform, threshold, .value)
        case .language(let part, let language): Field(platform, threshold, .text(part, language))
        }
    }

    /// Such as `minimumOSVersion is missing`.
    package var sentence: String {
        let member = threshold.member(on: platform)
        return switch kind {
        case .member: "\(member) is missing"
        case .value: "\(member) has no value"
        case .texts(let part): "\(member) has no \(part.rawValue)"
        case .language(let part, let language): "\(member).\(part.rawValue) has no \(language)"
        }
    }
}

/// A generation that refuses a document, and all that it misses there.
package struct UnreadDocument: Equatable, Sendable {
    package let generation: ClientGeneration
    /// Never empty.
    package let faults: [ReadingFault]

    /// Such as `minimumOSVersion is missing and minimumAppVersion has no description`.
    package var reasons: String { faults.map(\.sentence).joined(separator: " and ") }

    package var sentence: String {
        "\(generation.sentenceName) refuses the document, because \(reasons): such apps keep the last"
            + " one that they could read."
    }
}

extension ClientGeneration {
    /// What keeps it from reading a document of its platform; nothing where it reads it.
    package func faults(in document: PublishedDocument) -> [ReadingFault] {
        precondition(document.platform == platform, "a client reads its own platform's document")
        return isOwn
            ? []
            : members.flatMap { name in
                kinds(of: document.thresholds[name], name).map {
                    ReadingFault(platform: platform, threshold: name, kind: $0)
                }
            }
    }

    private func kinds(
        of member: PublishedThreshold?,
        _ name: ThresholdName
    ) -> [ReadingFault.Kind] {
        guard let member else { return [.member] }
        let value: [ReadingFault.Kind] = member.value == nil ? [.value] : []
        return value
            + name.partsShown.flatMap { part -> [ReadingFault.Kind] in
                guard let texts = member.texts(part) else { return [.texts(part)] }
                return languagesDemanded.filter { texts[$0] == nil }.map { .language(part, $0) }
            }
    }
}

extension PublishedDocument {
    /// Those of some generations that refuse it.
    package func unread(by generations: [ClientGeneration]) -> [UnreadDocument] {
        generations.filter { $0.platform == platform }.compactMap { generation in
            let faults = generation.faults(in: self)
            return faults.isEmpty ? nil : UnreadDocument(generation: generation, faults: faults)
        }
    }
}

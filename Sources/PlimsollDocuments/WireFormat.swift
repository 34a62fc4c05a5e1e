package import PlimsollDomain

/// A form of document that clients in the field read: one file of an app's snapshot.
///
/// Whoever plans, publishes, serves or waits for documents walks ``all``; nothing but this value
/// knows what a format is called, says and reads.
package struct WireFormat: Sendable {
    /// The last segment of the document's address.
    package let fileName: FileName
    package let mediaType: String
    /// The family of clients that read it.
    package let clients: String
    /// The platform whose document it is; `nil` where it tells of all of them.
    package let platform: Platform?
    /// Whether every program that published snapshots has published it, and in the same words.
    package let isOriginal: Bool
    /// Whether a client is told what a field has.
    package let tells: @Sendable (Field) -> Bool
    /// When it says something else though nothing is written, after a time at which it was rendered.
    package let nextChange: @Sendable (PublishedState, Instant) -> Instant?
    /// The bytes that are signed and served.
    package let render: @Sendable (PublishedState, SnapshotIssue) -> RenderedDocument
    /// Whose a document is and how it is dated; `nil` for one that another publisher made.
    package let stamp: @Sendable ([UInt8]) throws -> (app: AppSlug, issue: SnapshotIssue)?

    /// In the order in which a snapshot has them.
    package static let all =
        Platform.allCases.sorted().compactMap(availability)
        + [princeOfVersions]

    /// Those of an app on these platforms.
    package static func all(on platforms: [Platform]) -> [WireFormat] {
        all.filter { format in format.platform.map(platforms.contains) ?? true }
    }
}

extension WireFormat: Hashable {
    package static func == (one: WireFormat, other: WireFormat) -> Bool {
        one.fileName == other.fileName
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(fileName) }
}

/// One app as far as any format tells of it.
package struct PublishedState: Equatable, Sendable {
    package let app: AppSlug
    package let profile: DocumentProfile
    package let princeClients: PrinceOfVersionsClients
    /// Of every platform of the app, in their order.
    package let documents: [Document]
    package let releases: ReleasesTold

    package init(_ app: App) {
        self.app = app.slug
        (profile, princeClients) = (app.settings.profile, app.settings.princeClients)
        documents = app.settings.platforms.sorted().map(app.document)
        releases = app.releasesTold
    }

    package func document(_ platform: Platform) -> Document {
        documents.first { $0.platform == platform } ?? Document(platform: platform)
    }
}

/// What is served, and what an earlier program made of the same state where that was something else.
package struct RenderedDocument: Equatable, Sendable {
    package let bytes: [UInt8]
    package let formerBytes: [UInt8]?
}

extension WireFormat {
    /// The document of the NHS COVID-19 apps; `nil` for a platform that has none.
    private static func availability(_ platform: Platform) -> WireFormat? {
        AvailabilityDocument.fileName(for: platform).map { fileName in
            WireFormat(
                fileName: fileName,
                mediaType: AvailabilityDocument.mediaType,
                clients: "NHS COVID-19",
                platform: platform,
                isOriginal: true,
                tells: { $0.platform == platform && $0.threshold != nil },
                nextChange: { _, _ in nil },
                render: { state, issue in
                    let stamp = DocumentStamp(app: state.app, platform: platform, issue: issue)
                    let document = AvailabilityDocument(state.document(platform), stamp: stamp)
                    let profile = state.profile
                    return RenderedDocument(
                        bytes: document.bytes(profile),
                        formerBytes: document.formerBytes(profile)
                    )
                },
                stamp: { bytes in
                    try AvailabilityDocument(parsing: bytes, platform: platform, profile: .minimal)
                        .stamp.map { ($0.app, $0.issue) }
                }
            )
        }
    }

    package static let princeOfVersions = WireFormat(
        fileName: PrinceOfVersionsDocument.fileName,
        mediaType: PrinceOfVersionsDocument.mediaType,
        clients: "Prince of Versions",
        platform: nil,
        isOriginal: false,
        tells: { $0.threshold == nil },
        nextChange: { state, instant in state.releases.nextInStore(after: instant) },
        render: { state, issue in
            let source = PrinceOfVersionsExport.Source(state, at: issue.issuedAt)
            let stamp = PrinceOfVersionsStamp(app: state.app, issue: issue)
            let document = PrinceOfVersionsExport(source, stamp: stamp).document
            return RenderedDocument(bytes: document.bytes, formerBytes: nil)
        },
        stamp: { bytes in
            try PrinceOfVersionsDocument(parsing: bytes).stamp.map { ($0.app, $0.issue) }
        }
    )
}

extension PrinceOfVersionsExport.Source {
    /// The app with what stores have by then.
    package init(_ state: PublishedState, at instant: Instant) {
        self.init(state.documents)
        clients = state.princeClients
        take(state.releases, at: instant)
    }
}

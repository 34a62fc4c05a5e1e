package import PlimsollDomain
import PlimsollJSON

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
    /// What of an app it tells.
    package let subject: Subject
    /// Whether every program that published snapshots has published it, and in the same words.
    package let isOriginal: Bool
    /// Whether the app has it at all.
    package let isPublished: @Sendable (PublishedState) -> Bool
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
        + [princeOfVersions, packages, altStore, marketplaceKit, authorizationServer, marketplace]

    /// Those of an app on these platforms.
    package static func all(on platforms: [Platform]) -> [WireFormat] {
        all.filter { format in format.platform.map(platforms.contains) ?? true }
    }

    /// Those that an app has as it is.
    package static func all(of app: App) -> [WireFormat] {
        let state = PublishedState(app)
        return all(on: app.settings.platforms).filter { $0.isPublished(state) }
    }

    /// What a format tells of an app.
    package enum Subject: Hashable, Sendable {
        case platform(Platform)
        case allPlatforms
        /// Its place in alternative marketplaces, or the marketplace that it is.
        case distribution
    }

    /// The platform whose document it is; `nil` where it tells of more.
    package var platform: Platform? {
        if case .platform(let platform) = subject { platform } else { nil }
    }

    /// Where it is found too, on the domains of the marketplace that it is of; `nil` for most.
    package var wellKnownPath: String? {
        self == .marketplaceKit || self == .authorizationServer ? "/.well-known/\(fileName)" : nil
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
    package let distribution: Distribution

    package init(_ app: App) {
        self.app = app.slug
        (profile, princeClients) = (app.settings.profile, app.settings.princeClients)
        documents = app.settings.platforms.sorted().map(app.document)
        releases = app.releasesTold
        distribution = app.distribution
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
                subject: .platform(platform),
                isOriginal: true,
                isPublished: { _ in true },
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
        subject: .allPlatforms,
        isOriginal: false,
        isPublished: { _ in true },
        tells: { $0.threshold == nil && $0 != .packages },
        nextChange: { state, instant in state.releases.nextInStore(after: instant) },
        render: { state, issue in
            let source = PrinceOfVersionsExport.Source(state, at: issue.issuedAt)
            let stamp = AppStamp(app: state.app, issue: issue)
            let document = PrinceOfVersionsExport(source, stamp: stamp).document
            return RenderedDocument(bytes: document.bytes, formerBytes: nil)
        },
        stamp: { bytes in
            try PrinceOfVersionsDocument(parsing: bytes).stamp.map { ($0.app, $0.issue) }
        }
    )
}

extension WireFormat {
    package static let packages = distribution(
        "packages.json",
        for: "marketplaces",
        isPublished: { !$0.distribution.listings.isEmpty },
        tells: { $0 == .packages },
        stamp: { bytes in
            let stamp = try PackagesDocument(parsing: bytes).stamp
            return (stamp.app, stamp.issue)
        }
    ) { state, issue in
        let stamp = AppStamp(app: state.app, issue: issue)
        let offered = state.document(.ios).packages
        return PackagesDocument(state.distribution, offering: offered, stamp).bytes
    }

    package static let altStore = distribution(
        "altstore.json",
        for: "AltStore",
        isPublished: { !$0.distribution.listings.isEmpty }
    ) { state, _ in
        let offered = state.document(.ios).packages
        return AltStoreSource.source(of: state.app, state.distribution, offering: offered)
            .canonicalBytes()
    }

    package static let marketplaceKit = distribution("marketplace-kit", for: "MarketplaceKit") {
        state,
        _ in
        state.distribution.marketplace.map(MarketplaceKit.configuration)?.canonicalBytes() ?? []
    }

    package static let authorizationServer = distribution(
        "oauth-authorization-server",
        for: "MarketplaceKit",
        isPublished: { $0.distribution.marketplace?.authorization != nil }
    ) { state, _ in
        state.distribution.marketplace?.authorization.map(MarketplaceKit.metadata)?
            .canonicalBytes() ?? []
    }

    package static let marketplace = distribution(
        "marketplace.json",
        for: "marketplaces",
        stamp: { bytes in
            let stamp = try MarketplaceDocument(parsing: bytes).stamp
            return (stamp.app, stamp.issue)
        }
    ) { state, issue in
        let stamp = AppStamp(app: state.app, issue: issue)
        return state.distribution.marketplace.map {
            MarketplaceDocument(marketplace: $0, stamp: stamp).bytes
        } ?? []
    }

    private static func distribution(
        _ name: String,
        for clients: String,
        isPublished: @escaping @Sendable (PublishedState) -> Bool = {
            $0.distribution.marketplace != nil
        },
        tells: @escaping @Sendable (Field) -> Bool = { _ in false },
        stamp: @escaping @Sendable ([UInt8]) throws -> (app: AppSlug, issue: SnapshotIssue)? = {
            _ in nil
        },
        _ render: @escaping @Sendable (PublishedState, SnapshotIssue) -> [UInt8]
    ) -> WireFormat {
        guard let fileName = FileName(name) else {
            preconditionFailure("the name is within the grammar")
        }
        return WireFormat(
            fileName: fileName,
            mediaType: MarketplaceKit.mediaType,
            clients: clients,
            subject: .distribution,
            isOriginal: false,
            isPublished: isPublished,
            tells: tells,
            nextChange: { _, _ in nil },
            render: { RenderedDocument(bytes: render($0, $1), formerBytes: nil) },
            stamp: stamp
        )
    }
}

extension PrinceOfVersionsExport.Source {
    /// The app with what stores have by then.
    package init(_ state: PublishedState, at instant: Instant) {
        self.init(state.documents)
        clients = state.princeClients
        take(state.releases, at: instant)
    }
}

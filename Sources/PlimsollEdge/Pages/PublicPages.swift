import Crypto
import Foundation
import PlimsollDocuments
import PlimsollDomain

/// The pages for people, each made once for what it says.
struct PublicPages {
    private var made: [AppSlug: (page: PublicPage, resource: PreparedResource)] = [:]

    /// Where each app's page is found, and the page.
    mutating func places(of composition: EdgeComposition) -> [EdgePlace] {
        let standing = made
        made = [:]
        return composition.apps.compactMap { app in
            let (page, slug) = (PublicPage(of: app, in: composition), app.publication.app)
            let resource: PreparedResource
            if let kept = standing[slug], kept.page == page {
                resource = kept.resource
            } else {
                guard let rendered = page.resource else { return nil }
                resource = PreparedResource(rendered)
            }
            made[slug] = (page, resource)
            let address = "\(EdgeComposition.root)/\(slug)"
            return EdgePlace(resource, at: ["\(address)/", address])
        }
    }
}

/// What people are shown of an app: what is published, who signed it, and how to check it.
struct PublicPage: Equatable {
    let manifest: Manifest
    let files: [PublicFile]
    /// Whose signatures are served, and whether the key itself is.
    let keys: [PublicKeyLine]
    let isDefault: Bool
    /// Whether the manifest is served, which a revoked key's is not.
    let hasManifest: Bool
    /// By how many known witnesses the log was cosigned that proves the manifest; `nil` where no
    /// proof is served.
    let cosignatures: Int?
    let hasLog: Bool

    init(of app: ServedApp, in composition: EdgeComposition) {
        manifest = app.snapshot.manifest.manifest
        let signers = Dictionary(grouping: app.documents, by: \.name).mapValues { $0.map(\.key) }
        files = app.snapshot.files.compactMap { file in
            signers[file.description.name.text].map { PublicFile(file: file, keys: $0.sorted()) }
        }
        let listed = Set(composition.keys?.keys.map(\.id) ?? [])
        keys = app.shownKeys.sorted().map { PublicKeyLine(id: $0, isServed: listed.contains($0)) }
        isDefault = composition.defaultApp == manifest.app
        hasManifest = !app.proofs.isEmpty
        cosignatures = hasManifest ? app.proof?.cosignatures : nil
        hasLog = composition.log != nil
    }

    /// Below which every file of the app is found.
    var address: String { "\(EdgeComposition.root)/\(manifest.app)" }

    var resource: EdgeResource? {
        var resource = EdgeResource(
            paths: [],
            mediaType: "text/html; charset=utf-8",
            signature: nil,
            body: Array(html.text.utf8)
        )
        resource?.contentPolicy = Self.policy
        return resource
    }

    /// Nothing is loaded, nothing is run, and nobody shows the page in theirs.
    private static let policy: String = {
        let digest = SHA256.hash(data: Data(PublicPageStyle.sheet.text.utf8))
        return "default-src 'none'; style-src 'sha256-\(Data(digest).base64EncodedString())';"
            + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }()
}

/// A file that is served, and the keys whose signatures of it are.
struct PublicFile: Equatable {
    let file: VerifiedFile
    let keys: [KeyID]

    var name: String { file.description.name.text }
}

struct PublicKeyLine: Equatable {
    let id: KeyID
    let isServed: Bool
}

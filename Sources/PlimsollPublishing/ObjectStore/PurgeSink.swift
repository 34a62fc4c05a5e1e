import Crypto
import Foundation
package import PlimsollAPI
import PlimsollDocuments
package import PlimsollDomain
import PlimsollJSON
import PlimsollSystem

/// Has a cache forget the addresses of an app's documents, so that nobody waits out its time.
///
/// It posts the addresses to a hook of the operator's, which does with them what the cache's own
/// interface wants. A request is signed, dated and named as Standard Webhooks are.
package struct PurgeSink: Sink {
    /// Whom to tell, and of which addresses.
    package struct Settings: Equatable, Sendable {
        package let hook: ServiceAddress
        package let secret: PurgeSecret
        /// Where caches serve what the edge or the store has: what stands before `/distribution`.
        package let bases: [ServiceAddress]

        package init(hook: ServiceAddress, secret: PurgeSecret, bases: [ServiceAddress]) {
            self.hook = hook
            self.secret = secret
            self.bases = bases
        }
    }

    package let name: String
    package let followsOthers = true
    /// By then every edge has looked: another instance's twice a second, one that reads a store or a
    /// cache every five seconds.
    package let repeatInterval: Duration? = .seconds(10)
    private let settings: Settings
    private let limits: Transport.Limits
    private let now: @Sendable () -> Instant

    /// A hook that takes longer is one that is away.
    package static let usualLimits = Transport.Limits(
        connectTimeout: .seconds(5),
        answerTimeout: .seconds(15),
        bytesMaximum: 1 << 16
    )

    /// Takes the clock that dates requests.
    package init(
        _ settings: Settings,
        limits: Transport.Limits = usualLimits,
        now: @escaping @Sendable () -> Instant
    ) {
        // The path of a hook may be what keeps it secret.
        name = "purge \(settings.hook.host)"
        self.settings = settings
        self.limits = limits
        self.now = now
    }

    package func take(_ publication: Publication) async throws(SinkRefusal) {
        let request = request(for: publication)
        let answer: WebAnswer
        do {
            answer = try await Transport.with(limits) { transport in
                try await transport.send(request)
            }
        } catch let error as AdminError {
            throw SinkRefusal(StoreFailure(error).description)
        } catch {
            throw SinkRefusal("the connection broke")
        }
        guard (200..<300).contains(answer.status) else {
            throw SinkRefusal("it answered \(answer.status)")
        }
    }

    private func request(for publication: Publication) -> WebRequest {
        let manifest = publication.snapshot.manifest.manifest
        let time = now().millisecondsSince1970
        let body = body(publication)
        // A purge that is told again is meant again, so its name is another one.
        let id = "purge_\(manifest.app)_\(manifest.sequence)_\(time)"
        let seconds = time / 1000
        return WebRequest(
            .post,
            settings.hook.text,
            headers: [
                (name: "Content-Type", value: "application/json"),
                (name: "User-Agent", value: "Plimsoll"), (name: "webhook-id", value: id),
                (name: "webhook-timestamp", value: "\(seconds)"),
                (
                    name: "webhook-signature",
                    value: settings.secret.signature(id: id, seconds: seconds, body: body)
                ),
            ],
            body: body
        )
    }

    private func body(_ publication: Publication) -> [UInt8] {
        let manifest = publication.snapshot.manifest.manifest
        let object: JSONObject = [
            "app": .string(manifest.app.text),
            "sequence": .integer(manifest.sequence.rawValue),
            "type": .string("purge"),
            "urls": .array(urls(publication).map { .string($0) }),
        ]
        return object.canonicalBytes()
    }

    private func urls(_ publication: Publication) -> [String] {
        let paths =
            addresses(publication).map { "/\($0)" } + WireFormat.all.compactMap(\.wellKnownPath)
        return settings.bases.flatMap { base in paths.map { base.url($0) } }
    }

    /// What is there now, and what may be there no more: every other document that an app can have.
    private func addresses(_ publication: Publication) -> [String] {
        let manifest = publication.snapshot.manifest.manifest
        let keys = manifest.signers.sorted() + publication.formerKeys
        let names = manifest.files.map(\.name)
        let others = WireFormat.all.map(\.fileName).filter { !names.contains($0) }
        let documents =
            (names + others).flatMap { name in
                StoreLayout.addresses(of: name.text, manifest.app, isDefault: manifest.isDefault)
            }
            + names.flatMap { name in
                keys.map { StoreLayout.address(of: name.text, manifest.app, signedBy: $0) }
            }
        // The proof is that of the manifest before until its own comes.
        let proofNames = [Manifest.fileName, Manifest.signaturesFileName, Manifest.proofFileName]
        let proofs = proofNames.flatMap { name in
            StoreLayout.addresses(of: name, manifest.app, isDefault: false)
        }
        let revoked = publication.revokedKeys.sorted().map { StoreLayout.shared("keys/\($0).pem") }
        let lists = revoked.isEmpty ? [] : [StoreLayout.shared("keys.json")] + revoked
        return documents + proofs + lists
    }
}

extension ServiceAddress {
    /// Without scheme, port and path.
    fileprivate var host: String {
        let authority = text.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != "/" }
        return authority.hasPrefix("[")
            ? String(authority.prefix { $0 != "]" }) + "]"
            : String(authority.prefix { $0 != ":" })
    }
}

/// What purge requests are signed with, and their receiver checks them with.
///
/// `whsec_` and the base64 of 24 to 64 bytes, as the Standard Webhooks specification has it.
package struct PurgeSecret: Equatable, Secret {
    private let bytes: [UInt8]

    package static let grammar = "whsec_ and 24 to 64 bytes in base64"

    private static let prefix = "whsec_"

    package init?(_ text: String) {
        guard
            text.hasPrefix(Self.prefix),
            let data = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))),
            (24...64).contains(data.count)
        else { return nil }
        bytes = Array(data)
    }

    /// `v1,` and the HMAC-SHA256, in base64, of the id, the time and the body, with full stops
    /// between them.
    func signature(id: String, seconds: Int64, body: [UInt8]) -> String {
        let signed = Array("\(id).\(seconds).".utf8) + body
        let code = HMAC<SHA256>.authenticationCode(
            for: signed,
            using: SymmetricKey(data: bytes)
        )
        return "v1," + Data(code).base64EncodedString()
    }
}

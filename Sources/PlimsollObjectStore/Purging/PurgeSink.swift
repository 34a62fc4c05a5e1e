package import PlimsollAdmin
package import PlimsollDocuments
package import PlimsollDomain
package import PlimsollExport
import PlimsollJSON

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

    package func take(_ snapshot: VerifiedSnapshot) async throws(SinkRefusal) {
        let request = request(for: snapshot)
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

    private func request(for snapshot: VerifiedSnapshot) -> WebRequest {
        let (manifest, time) = (snapshot.manifest.manifest, now().millisecondsSince1970)
        let body = body(manifest)
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

    private func body(_ manifest: Manifest) -> [UInt8] {
        let object: JSONObject = [
            "app": .string(manifest.app.text),
            "sequence": .integer(manifest.sequence.rawValue),
            "type": .string("purge"),
            "urls": .array(urls(manifest).map { .string($0) }),
        ]
        return object.canonicalBytes()
    }

    private func urls(_ manifest: Manifest) -> [String] {
        let documents = manifest.files.flatMap { file in
            StoreLayout.addresses(
                of: file.name.text,
                manifest.app,
                isDefault: manifest.isDefault
            )
        }
        let proofs = [Manifest.fileName, Manifest.signaturesFileName].flatMap { name in
            StoreLayout.addresses(of: name, manifest.app, isDefault: false)
        }
        return settings.bases.flatMap { base in
            (documents + proofs).map { base.url("/\($0)") }
        }
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

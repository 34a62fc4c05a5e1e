import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain

/// What phones are served, read as they read it.
struct PublicEdge: Sendable {
    let address: ServiceAddress
    let transport: Transport

    static var usual: ServiceAddress {
        guard let address = ServiceAddress("http://127.0.0.1:8081") else {
            preconditionFailure("the usual address is one")
        }
        return address
    }

    /// A document as it came, with its signature.
    struct Served {
        let body: [UInt8]
        let signatureHeader: String?
        let dateHeader: String?

        func signature() throws(VerificationRefusal) -> DistributionSignature {
            try DistributionSignature(signatureHeader: signatureHeader, dateHeader: dateHeader)
        }
    }

    /// Where phones are served, as far as the configuration says: at the edge, and at the caches that
    /// are told what was replaced.
    static func configuredAddresses() throws -> [ServiceAddress] {
        let variable = "PLIMSOLL_EXPORT_PURGE_BASES"
        let bases = (environment[variable] ?? "").split(separator: ",").map(String.init)
        let edge = try configuredAddress().map { [$0] } ?? []
        return try edge
            + bases.map { text in
                guard let address = ServiceAddress(text) else {
                    throw Failure(
                        .usage,
                        "\(variable) has \"\(legible(text))\"; each needs to be"
                            + " \(ServiceAddress.grammar)."
                    )
                }
                return address
            }
    }

    static func configuredAddress() throws -> ServiceAddress? {
        guard let text = environment["PLIMSOLL_PUBLIC_URL"], !text.isEmpty else { return nil }
        guard let address = ServiceAddress(text) else {
            throw Failure(
                .usage,
                "PLIMSOLL_PUBLIC_URL is \"\(legible(text))\"; it needs to be"
                    + " \(ServiceAddress.grammar)."
            )
        }
        return address
    }

    func document(of app: AppSlug, on platform: Platform) async throws -> Served {
        try await served(at: address.url("/distribution/\(app)/availability-\(platform.rawValue)"))
    }

    /// What an edge has of an app as a whole, as of now and whatever caches keep.
    func manifest(
        of app: AppSlug,
        trusting keys: TrustedKeys
    ) async throws -> Verification<VerifiedManifest> {
        let url = address.url("/distribution/\(app)/\(Manifest.fileName)")
        // Caches keep each of the two for its own time.
        let fresh = [(name: "Cache-Control", value: "no-cache")]
        let manifest = try await Self.served(at: url, over: transport, headers: fresh)
        let signatures = try await Self.served(at: url + ".sig", over: transport, headers: fresh)
        return Manifest.verify(
            manifest.body,
            signatures: signatures.body,
            keys: keys,
            expectedApp: app
        )
    }

    func princeOfVersions(of app: AppSlug) async throws -> Served {
        try await served(at: address.url("/distribution/\(app)/\(PrinceDocument.fileName)"))
    }

    func served(at url: String) async throws -> Served {
        try await Self.served(at: url, over: transport)
    }

    static func served(
        at url: String,
        over transport: Transport,
        headers: [(name: String, value: String)] = []
    ) async throws -> Served {
        let answer = try await transport.send(WebRequest(.get, url, headers: headers))
        guard answer.status == 200 else {
            throw Failure(.failed, "\(url) answered \(answer.status); 200 is needed.")
        }
        return Served(
            body: answer.body,
            signatureHeader: answer.header(DistributionSignature.signatureHeader),
            dateHeader: answer.header(DistributionSignature.dateHeader)
        )
    }
}

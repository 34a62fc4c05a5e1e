import PlimsollAdmin
import PlimsollDocuments
import PlimsollDomain

/// What phones are served, read as they read it.
struct PublicEdge: Sendable {
    let address: ServiceAddress
    let transport: Transport

    static let urlUsual = "http://127.0.0.1:8081"

    /// A document as it came, with its signature.
    struct Served {
        let body: [UInt8]
        let signatureHeader: String?
        let dateHeader: String?

        func signature() throws(VerificationRefusal) -> DistributionSignature {
            try DistributionSignature(signatureHeader: signatureHeader, dateHeader: dateHeader)
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

    func princeOfVersions(of app: AppSlug) async throws -> Served {
        try await served(at: address.url("/distribution/\(app)/\(PrinceDocument.fileName)"))
    }

    func served(at url: String) async throws -> Served {
        try await Self.served(at: url, over: transport)
    }

    static func served(at url: String, over transport: Transport) async throws -> Served {
        let answer = try await transport.send(WebRequest(.get, url))
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

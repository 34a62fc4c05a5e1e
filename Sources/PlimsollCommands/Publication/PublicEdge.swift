import ArgumentParser
import Foundation
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON

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
        // As the service takes the list apart.
        let bases = (environment[variable] ?? "").split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            .filter { !$0.isEmpty }
        let edge = try configuredAddress().map { [$0] } ?? []
        return try edge
            + bases.map { text in
                guard let address = ServiceAddress(text) else {
                    throw Failure(
                        .usage,
                        "\(variable) has \"\(legible(address: text))\"; each needs to be"
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
                "PLIMSOLL_PUBLIC_URL is \"\(legible(address: text))\"; it needs to be"
                    + " \(ServiceAddress.grammar)."
            )
        }
        return address
    }

    func document(_ name: String, of app: AppSlug) async throws -> Served {
        try await served(at: address.url("/distribution/\(app)/\(name)"))
    }

    /// What an edge has of an app as a whole, as of now and whatever caches keep.
    func manifest(
        of app: AppSlug,
        trusting keys: TrustedKeys
    ) async throws -> VerifiedManifest {
        let url = address.url("/distribution/\(app)/\(Manifest.fileName)")
        // Caches keep each of the two for its own time.
        let fresh = [(name: "Cache-Control", value: "no-cache")]
        let manifest = try await Self.served(at: url, over: transport, headers: fresh)
        let signatures = try await Self.served(at: url + ".sig", over: transport, headers: fresh)
        return try Manifest.verify(
            manifest.body,
            signatures: signatures.body,
            keys: keys,
            expectedApp: app
        )
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

/// What phones were served when somebody looked, and whose signature over it was checked.
struct ServedProof {
    /// The last event that it takes in.
    let position: Position
    let sequence: SnapshotSequence
    let keyID: KeyID
    let verifiedAt: Instant

    var json: JSONObject {
        [
            "event": JSONValue(position), "sequence": JSONValue(sequence),
            "keyId": .string(keyID.text), "verifiedAt": JSONValue(verifiedAt),
        ]
    }

    var line: String {
        "served     event \(position), sequence \(sequence), signed by key \(keyID), checked at"
            + " \(verifiedAt)"
    }
}

/// What was brought into force, and is waited for.
struct AppliedWrite {
    let app: AppSlug
    let effect: [FieldChange]
    /// The last position of its append.
    let position: Position
    /// What is said of it before anybody waits.
    var remark: String?
}

extension AppliedWrite {
    init(_ change: ChangeAnswer, remark: String? = nil) {
        self.init(
            app: change.summary.app,
            effect: change.effect,
            position: change.summary.position,
            remark: remark
        )
    }
}

extension Output {
    /// Shows the receipt of a write, or of a dry run, which has none, and what phones are served
    /// where somebody waits for that.
    ///
    /// A person sees the receipt at once. A script gets one result, however the waiting ends, for
    /// the write was done.
    func show(
        _ receipt: Report,
        of write: AppliedWrite?,
        servedBy edge: EdgeWait?,
        trusting service: ServiceOptions
    ) async throws -> ExitStatus {
        guard let write else {
            show(receipt)
            noteDryRun()
            return .done
        }
        guard let edge else {
            show(receipt)
            if let remark = write.remark { note(remark) }
            return .done
        }
        try await show(
            receipt,
            remark: write.remark,
            noting: { proof in
                proof == nil
                    ? "Phones are told nothing of it."
                    : "Phones are served event \(write.position)."
            }
        ) { try await edge.wait(for: write, trusting: service) }
        return .done
    }

    /// The same, whatever is waited for; the words say at the end that it is there, or that there is
    /// nothing to be there.
    func show(
        _ receipt: Report,
        remark: String?,
        noting words: (ServedProof?) -> String,
        _ wait: () async throws -> ServedProof?
    ) async throws {
        if format == .table { show(receipt) }
        if let remark { note(remark) }
        let proof: ServedProof?
        do {
            proof = try await wait()
        } catch {
            if format == .json { show(receipt.served(nil)) }
            throw error
        }
        switch format {
        case .json: show(receipt.served(proof))
        case .table: if let proof { show(Report([:], [.line(proof.line)])) }
        }
        note(words(proof))
    }
}

extension Report {
    fileprivate func served(_ proof: ServedProof?) -> Report {
        var json = json
        json["served"] = proof.map { .object($0.json) } ?? .null
        return Report(json, blocks)
    }
}

/// Whether to wait until phones are served the new state.
struct WaitOption: ParsableArguments {
    @Option(
        name: .customLong("wait"),
        help: ArgumentHelp(
            "Wait until PLIMSOLL_PUBLIC_URL serves it signed, 30s without a time; exit 7 if not.",
            valueName: "time"
        )
    )
    var duration: Duration?

    /// Where and how long to wait; `nil` where nobody asked.
    func edge() throws -> EdgeWait? {
        guard let duration else { return nil }
        guard let address = try PublicEdge.configuredAddress() else {
            throw Failure(
                .usage,
                "--wait needs to know where phones are served.",
                next: "export PLIMSOLL_PUBLIC_URL=\(PublicEdge.usual)"
            )
        }
        return EdgeWait(address: address, duration: duration)
    }
}

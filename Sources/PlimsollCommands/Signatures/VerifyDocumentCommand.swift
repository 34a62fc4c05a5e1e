import ArgumentParser
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON

/// `plimsoll verify`: trust nothing that was not checked.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check a signed document, a snapshot, or the whole log.",
        discussion: """
            What does not verify ends with exit code 8.

            For example: plimsoll verify url \
            http://127.0.0.1:8081/distribution/availability-ios --key key.pem
            """,
        subcommands: [VerifyDocumentCommand.self, VerifyURLCommand.self] + serverCommands
    )
}

#if SERVER
    private var serverCommands: [any ParsableCommand.Type] {
        [VerifySnapshotCommand.self, VerifyLogCommand.self, VerifyEventsCommand.self]
    }
#else
    private var serverCommands: [any ParsableCommand.Type] { [] }
#endif

/// `plimsoll verify document`: a document in a file, offline.
struct VerifyDocumentCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "document",
        abstract: "Check a document with the headers it came with.",
        discussion: """
            For example:
              plimsoll verify document availability-ios \\
                --signature-header 'keyId="…",signature="…"' \\
                --signature-date 'Mon, 03 Aug 2020 22:59:35 UTC' --key key.pem
            """
    )

    @Argument(help: "The file with the body, exactly as it was served.")
    var file: String
    @Option(help: ArgumentHelp("The value of x-amz-meta-signature.", valueName: "value"))
    var signatureHeader: String
    @Option(help: ArgumentHelp("The value of x-amz-meta-signature-date.", valueName: "value"))
    var signatureDate: String
    @Option(help: ArgumentHelp("The key to trust: PEM, or a keys.json.", valueName: "file"))
    var key: String
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let verification = try DocumentVerification(
            try contents(of: file, upTo: Manifest.fileSizeMaximum),
            signatureHeader: signatureHeader,
            dateHeader: signatureDate,
            keyFile: key
        )
        output.show(verification.report)
        return .done
    }
}

/// `plimsoll verify url`: a document as phones are served it.
struct VerifyURLCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "url",
        abstract: "Fetch a document and check it.",
        discussion: """
            For example:
              plimsoll verify url http://127.0.0.1:8081/distribution/availability-ios \\
                --key key.pem

            With --at or --sequence it checks what an edge keeps of what was live before, and then \
            the log has to have recorded it.
            """
    )

    @Argument(help: "Where phones fetch it.")
    var url: String
    @Option(help: ArgumentHelp("The key to trust: PEM, or a keys.json.", valueName: "file"))
    var key: String
    #if SERVER
        @OptionGroup var log: DocumentLogOptions
        @OptionGroup var past: PastOptions
    #endif
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        guard ServiceAddress(url) != nil else {
            throw ValidationError("The address needs to be \(ServiceAddress.grammar).")
        }
        #if SERVER
            guard !past.isAsked else {
                output.show(try await log.report(past, at: url, key))
                return .done
            }
        #endif
        let served = try await Transport.with { transport in
            try await PublicEdge.served(at: url, over: transport)
        }
        let verification = try DocumentVerification(
            served.body,
            signatureHeader: served.signatureHeader,
            dateHeader: served.dateHeader,
            keyFile: key
        )
        try FoundStamp.check(served.body, servedAt: url)
        #if SERVER
            let report = try await log.report(verification, of: served.body, at: url, key)
            output.show(report)
        #else
            output.show(verification.report)
        #endif
        return .done
    }
}

/// What a check of a signed document came to.
struct DocumentVerification {
    let signature: DistributionSignature
    let stamp: FoundStamp?

    /// Checks the signature, or throws the failure that says why it is not trusted.
    init(
        _ body: [UInt8],
        signatureHeader: String?,
        dateHeader: String?,
        keyFile: String
    ) throws {
        do throws(VerificationRefusal) {
            signature = try DistributionSignature(
                signatureHeader: signatureHeader,
                dateHeader: dateHeader
            )
        } catch {
            throw Failure(error)
        }
        let keys = try trustedKeys(in: keyFile, for: signature.keyID)
        do throws(VerificationRefusal) {
            _ = try signature.verify(body, keys: keys)
        } catch {
            throw Failure(error)
        }
        let app = keys[signature.keyID]?.app
        stamp = FoundStamp(in: body)
        if let stamp, let app, stamp.app != app {
            throw Failure(.keyOfAnotherApp(signature.keyID, app))
        }
    }

    var report: Report {
        var json: JSONObject = [
            "verified": true, "keyId": .string(signature.keyID.text),
            "date": .string(signature.date.text),
        ]
        json["plimsoll"] = stamp.map { .object($0.json) } ?? .null
        json["expired"] = stamp.map { .bool($0.issue.isExpired(at: .now)) }
        var blocks = [
            Report.Block.check(
                passed: true,
                "signed with the key \(signature.keyID) as of \(signature.date)"
            )
        ]
        if let stamp {
            blocks.append(
                .line(
                    "   \(stamp.app) \(stamp.readers), event \(stamp.issue.position),"
                        + " sequence \(stamp.issue.sequence), good until \(stamp.issue.expiresAt)"
                )
            )
            blocks += stamp.issue.blocksIfExpired
        }
        return Report(json, blocks)
    }
}

/// The stamp of a document of which is not known in which format it is; those of other publishers
/// have none.
struct FoundStamp {
    private let format: WireFormat
    let app: AppSlug
    let issue: SnapshotIssue

    init?(in body: [UInt8]) {
        let stamps = WireFormat.all.lazy.compactMap { format in
            (try? format.stamp(body)).map { (format, $0.app, $0.issue) }
        }
        guard let stamp = stamps.first else { return nil }
        (format, app, issue) = stamp
    }

    /// `on iOS`, or `for Prince of Versions`.
    var readers: String { format.platform.map { "on \($0.name)" } ?? "for \(format.clients)" }

    /// As the document says it.
    var json: JSONObject {
        format.platform.map { DocumentStamp(app: app, platform: $0, issue: issue).json }
            ?? AppStamp(app: app, issue: issue).json
    }
}

extension SnapshotIssue {
    /// Old is not wrong, but whoever shows it may hide what came after.
    var blocksIfExpired: [Report.Block] {
        guard isExpired(at: .now) else { return [] }
        return [.unchecked("whether there is a newer one, which should have come by \(expiresAt)")]
    }
}

extension FoundStamp {
    /// Refuses a document that is served where phones look for another one: most of them do not look
    /// at the stamp.
    static func check(_ body: [UInt8], servedAt url: String) throws {
        let parts = url.split(separator: "/")
        guard let found = FoundStamp(in: body), let root = parts.lastIndex(of: "distribution")
        else { return }
        let place = parts[(root + 1)...].map(String.init)
        let format = WireFormat.all.first { $0.fileName.text == place.last }
        let isOfFormat = format.map { (try? $0.stamp(body)) != nil } ?? true
        // Only the default app's documents stand there without its name.
        let isOfApp = place.count < 2 || place.first == found.app.text
        guard isOfFormat, isOfApp else {
            throw Failure(
                .verificationFailed,
                "It is not verified.",
                detail: "It is the document of \(found.app) \(found.readers), and the address is"
                    + " that of another one."
            )
        }
    }
}

extension Failure {
    init(_ refusal: VerificationRefusal) {
        self.init(.verificationFailed, "It is not verified.", detail: refusal.description)
    }
}

extension TrustedKeys {
    /// Whatever of them is a public key and not compromised.
    init(_ answers: [KeyAnswer]) {
        self.init(
            answers.compactMap { key in
                PublicKey(pem: key.publicKey).map {
                    Key(id: key.id, app: key.app, publicKey: $0)
                }
            },
            revoked: Set(answers.filter { $0.state == .compromised }.map(\.id))
        )
    }
}

/// Keys that a person trusts, in a file: one as PEM, or several as `keys.json`.
func trustedKeys(in path: String, for signedWith: KeyID) throws -> TrustedKeys {
    let bytes = try contents(of: path)
    if let publicKey = PublicKey(pem: bytes) {
        // A PEM has no id of its own: whoever gives it says that it is the one that signed.
        return TrustedKeys([TrustedKeys.Key(id: signedWith, publicKey: publicKey)])
    }
    do {
        return TrustedKeys(try PublishedKeys(parsing: bytes))
    } catch {
        throw Failure(
            .failed,
            "\(path) is neither a P-256 public key in PEM nor a keys.json.",
            next: "plimsoll keys show"
        )
    }
}

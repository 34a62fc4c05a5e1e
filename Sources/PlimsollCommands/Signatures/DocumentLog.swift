import ArgumentParser
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollLog
import PlimsollServer

/// Whether the log has to have recorded a document that is served.
struct DocumentLogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The log's verifier key, in a file or as text; the log has to have recorded it then.",
            valueName: "key"
        )
    )
    var logKey: String?
    @Option(
        help: ArgumentHelp(
            "Where the log is published; beside the documents without it.",
            valueName: "folder or address"
        )
    )
    var log: String?
    @OptionGroup var witnesses: WitnessOptions
    @OptionGroup var persons: PersonsOption
    @Flag(help: "Take a document whose snapshot has no proof, as one of before there were any.")
    var acceptUnproven = false

    /// A publication may come in between, once while one is read.
    private static let readingsMaximum = 2

    func validate() throws {
        let isBare =
            log == nil && witnesses.witnessKey.isEmpty && persons.persons == nil
            && !acceptUnproven
        guard logKey != nil || isBare else {
            throw ValidationError("What is said of the log needs --log-key, which log it is.")
        }
    }

    /// What was found of a document, and of the snapshot that it is part of where a key is given.
    func report(
        _ verification: DocumentVerification,
        of body: [UInt8],
        at url: String,
        _ key: String
    ) async throws -> Report {
        guard let logKey else {
            let line = "whether the log recorded it; --log-key names the log that you trust"
            let report = verification.report
            return Report(report.json, report.blocks + [.unchecked(line)])
        }
        let trust = try witnesses.trust(with: logVerifierKey(logKey))
        guard let app = verification.stamp?.app, let place = Self.place(of: app, serving: url)
        else {
            throw Failure(
                .verificationFailed,
                "It is in no snapshot.",
                detail: "Only what stands below /distribution and says its app can be proven."
            )
        }
        do {
            let finding = try await Transport.with { transport in
                try await check(PublishedLocation(place, transport), transport, app, trust, key)
            }
            let report = verification.report
            guard let file = try await file(of: finding, with: body, at: url) else {
                throw SnapshotMismatch(
                    "manifest.json",
                    "The snapshot that is proven does not have the document that is served."
                )
            }
            try persons.check(finding, file)
            var json = report.json
            json["proof"] = finding.recordJSON(of: witnesses.witnessKey.count)
            let line = "it is \(file) of \(app), sequence \(finding.manifest.sequence)"
            let blocks = [Report.Block.check(passed: true, line)]
            return Report(
                json,
                report.blocks + blocks + finding.proofBlocks(of: witnesses.witnessKey.count)
            )
        } catch let mismatch as SnapshotMismatch {
            throw Failure(mismatch)
        }
    }

    func check(
        _ snapshot: PublishedLocation,
        _ transport: Transport,
        _ app: AppSlug,
        _ trust: LogTrust,
        _ key: String
    ) async throws -> SnapshotCheck.Finding {
        var check = SnapshotCheck(
            snapshot: snapshot.read,
            log: PublishedLocation(log ?? snapshot.log, transport).read,
            keys: try await trustedKeys(in: key, signing: snapshot),
            trust: trust,
            app: app
        )
        check.acceptsUnproven = acceptUnproven
        return try await check.run()
    }

    /// The name of the file that has these bytes, or those that are served by now.
    private func file(
        of finding: SnapshotCheck.Finding,
        with body: [UInt8],
        at url: String
    ) async throws -> FileName? {
        var body = body
        for reading in 1...Self.readingsMaximum {
            if let file = finding.snapshot.files.first(where: { $0.body == body }) {
                return file.description.name
            }
            guard reading < Self.readingsMaximum else { break }
            body = try await Transport.with { transport in
                try await PublicEdge.served(at: url, over: transport).body
            }
            try FoundStamp.check(body, servedAt: url)
        }
        return nil
    }

    /// Where the manifest of an app is that goes with a document.
    static func place(of app: AppSlug, serving url: String) -> String? {
        let root = "/distribution/"
        return url.ranges(of: root).last.map { url[..<$0.upperBound] + app.text }
    }
}

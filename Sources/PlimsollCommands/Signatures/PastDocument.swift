import ArgumentParser
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollLog
import PlimsollServer

/// Which snapshot is asked for that is served no more.
struct PastOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Check what was live then, 24h or 2026-11-21T08:00 for example.",
            valueName: "time"
        ),
        transform: pastMoment
    )
    var at: Instant?
    @Option(help: ArgumentHelp("Check the snapshot of this number.", valueName: "number"))
    var sequence: SnapshotSequence?

    func validate() throws {
        guard at == nil || sequence == nil else {
            throw ValidationError("--at and --sequence each say which snapshot; give one.")
        }
    }

    var isAsked: Bool { at != nil || sequence != nil }
}

extension DocumentLogOptions {
    /// What was found of a document as it was, from what an edge keeps.
    func report(_ past: PastOptions, at url: String, _ key: String) async throws -> Report {
        guard let logKey else {
            throw ValidationError("What was live is proven by the log; it needs --log-key.")
        }
        let trust = try witnesses.trust(with: logVerifierKey(logKey))
        do {
            return try await Transport.with { transport in
                let served = try await PublicEdge.served(at: url, over: transport)
                try FoundStamp.check(served.body, servedAt: url)
                // Only which app is asked for: what is proven has to say so itself.
                guard let app = FoundStamp(in: served.body)?.app,
                    let place = Self.place(of: app, serving: url),
                    let name = url.split(separator: "/").last.flatMap({ FileName(String($0)) })
                else { throw Failure(.verificationFailed, "It is a document of no snapshot.") }
                let chosen = try await past.chosen(at: place, transport)
                let snapshot = PublishedLocation("\(place)/snapshots/\(chosen.sequence)", transport)
                let finding = try await check(snapshot, transport, app, trust, key)
                try chosen.check(finding.snapshot.manifest)
                guard finding.manifest.files.contains(where: { $0.name == name }) else {
                    throw SnapshotMismatch("manifest.json", "The snapshot has no \(name).")
                }
                try persons.check(finding, name)
                return report(finding, name, chosen)
            }
        } catch let mismatch as SnapshotMismatch {
            throw Failure(mismatch)
        }
    }

    private func report(
        _ finding: SnapshotCheck.Finding,
        _ name: FileName,
        _ chosen: ChosenSnapshot
    ) -> Report {
        let manifest = finding.manifest
        let issuedAt = manifest.issue.issuedAt
        var json: JSONObject = [
            "verified": true, "app": .string(manifest.app.text), "file": .string(name.text),
            "sequence": .integer(manifest.sequence.rawValue),
            "issuedAt": .string(issuedAt.rfc3339),
        ]
        json["supersededAt"] = chosen.next.map { .string($0.issuedAt.rfc3339) }
        if chosen.entry != nil { json["unproven"] = ["that the list of snapshots has all of them"] }
        json["proof"] = finding.recordJSON(of: witnesses.witnessKey.count)
        let end = chosen.next.map { ", until \($0.issuedAt)" } ?? ""
        var blocks = [
            Report.Block.check(
                passed: true,
                "\(name) of \(manifest.app), sequence \(manifest.sequence)"
            ),
            .line("   live from \(issuedAt)\(end), as the service says"),
        ]
        blocks += finding.proofBlocks(of: witnesses.witnessKey.count)
        if chosen.entry != nil {
            blocks.append(.unchecked("whether the list of snapshots, which is not signed, has all"))
        }
        return Report(json, blocks)
    }
}

/// The snapshot that is looked at.
private struct ChosenSnapshot: Sendable {
    let sequence: SnapshotSequence
    /// As it is listed; `nil` where it was named by its number.
    var entry: KeptSnapshots.Entry?
    /// What took its place.
    var next: KeptSnapshots.Entry?

    /// What is proven has to be what was chosen.
    func check(_ manifest: VerifiedManifest) throws {
        let digest = ContentDigest(of: manifest.bytes)
        guard manifest.manifest.sequence == sequence,
            entry.map({ $0.issuedAt == manifest.manifest.issue.issuedAt }) ?? true,
            entry?.manifest.map({ $0 == digest }) ?? true
        else {
            throw SnapshotMismatch("manifest.json", "It is another one than was listed.")
        }
    }
}

extension PastOptions {
    fileprivate func chosen(
        at place: String,
        _ transport: Transport
    ) async throws -> ChosenSnapshot {
        guard let at else {
            guard let sequence else { preconditionFailure("one of both is given") }
            return ChosenSnapshot(sequence: sequence)
        }
        let app = PublishedLocation(place, transport)
        guard let list = try await app.read("snapshots/") else {
            throw Failure(
                .failed,
                "\(place)/snapshots/ lists no snapshots.",
                detail: "An edge has older ones where it reads an export folder."
            )
        }
        let current = try await app.read(Manifest.fileName) ?? []
        guard let kept = KeptSnapshots(parsing: list, current: current) else {
            throw Failure(.failed, "\(place)/snapshots/ is no list of snapshots.")
        }
        do throws(KeptSnapshotsGap) {
            let (entry, next) = try kept.live(at: at)
            return ChosenSnapshot(sequence: entry.sequence, entry: entry, next: next)
        } catch {
            throw Failure(.failed, "Nothing is kept of \(at).", detail: error.description)
        }
    }
}

package import Logging
import Metrics
package import PlimsollDocuments
package import PlimsollDomain
package import PlimsollSystem

/// Brings what is published in an export folder to the edge, and nothing else.
///
/// Every byte is verified with the trusted keys before it is served. Whatever cannot be
/// verified, is older than what was served, or is half there, changes nothing: the last good
/// snapshot is served on, and other apps are not touched.
///
/// The exporter calls ``load(_:)`` when it has switched an app; an edge that stands alone has
/// an ``ExportWatcher``.
package actor SnapshotLoader {
    private let settings: Settings
    package nonisolated let now: @Sendable () -> ContinuousClock.Instant
    private let edge: EdgeService
    private let logger: Logger
    private let reader: SnapshotReader?
    private var memory: SequenceMemory?
    private var memoryComplaint = Complaint()
    private let loads = Counter(label: "plimsoll.snapshots.loaded")
    private let proofRefusals = Counter(label: "plimsoll.snapshot.proofs.refused")

    private var keys: TrustedKeys
    /// How often other keys were trusted than before.
    package private(set) var trustCount = 0
    private var publishedKeys: PublishedKeys?
    private let logReader: PublishedLogReader?
    private var log: ServedLog?
    private var logComplaint: LogRefusal?
    private var served: [AppSlug: ServedApp] = [:]
    private var defaultApp: AppSlug?
    private var pages = PublicPages()
    private var hasPublished = false
    private var remembered: [AppSlug: SnapshotSequence] = [:]
    private var complaints: LoadComplaints
    /// What witnesses have not seen yet, so that a poll reads it only once.
    private var waiting: [AppSlug: UnwitnessedSnapshot] = [:]

    package init(
        _ settings: Settings,
        trusting keys: TrustedKeys,
        edge: EdgeService,
        logger: Logger
    ) {
        self.settings = settings
        now = settings.now
        self.keys = keys
        self.edge = edge
        self.logger = logger
        reader = settings.export.map(SnapshotReader.init)
        logReader = settings.export.map(PublishedLogReader.init)
        memory = settings.memory.map(SequenceMemory.init)
        complaints = LoadComplaints(settings, logger: logger)
    }

    /// Trusts these keys from now on, as when one is added; what is served stays, except what the
    /// revoked ones have signed, which goes at once.
    ///
    /// What was refused is looked at again at once.
    package func trust(_ keys: TrustedKeys) {
        let isNew = keys != self.keys
        self.keys = keys
        if isNew { trustCount += 1 }
        let hasNewKeys = refreshKeys()
        let outcomes = complaints.apps.map(take)
        let hasNewSignatures = isNew && refreshSignatures()
        // Snapshots that are served no more are held against the keys of the last publication.
        if isNew || hasNewKeys || hasNewSignatures || outcomes.contains(where: \.isNew) {
            publish()
        }
    }

    /// Looks at one app's current snapshot, and serves it if it may be served.
    @discardableResult
    package func load(_ app: AppSlug) -> LoadOutcome {
        let hasNewKeys = refreshKeys()
        let outcome = take(app)
        if hasNewKeys || outcome.isNew { publish() }
        return outcome
    }

    /// Looks at all apps; the edge goes over to everything new at once.
    ///
    /// While no key is trusted there is nothing to look at, and nothing to complain of.
    @discardableResult
    package func loadAll() throws(FileError) -> [AppSlug: LoadOutcome] {
        guard !keys.isEmpty, let reader else { return [:] }
        tidyUp()
        let (hasNewKeys, hasNewLog) = (refreshKeys(), refreshLog())
        var outcomes: [AppSlug: LoadOutcome] = [:]
        for app in try reader.apps() { outcomes[app] = take(app) }
        let isNew = hasNewKeys || hasNewLog || outcomes.values.contains(where: \.isNew)
        if isNew || !hasPublished { publish() }
        return outcomes
    }

    /// The apps that a trusted key signs for.
    package var trustedApps: [AppSlug] {
        Set(keys.all.compactMap(\.app)).sorted()
    }

    /// Those of which nothing is served.
    package var unservedApps: Set<AppSlug> {
        Set(trustedApps.filter { served[$0]?.offered == nil })
    }

    /// Which snapshot is served of each app that a trusted key signs for; `nil` where none is.
    package var followed: [AppSlug: SnapshotSequence?] {
        var found: [AppSlug: SnapshotSequence?] = [:]
        for app in trustedApps { found.updateValue(served[app]?.sequence, forKey: app) }
        return found
    }

    /// What is served of an app, as other edges may fetch it; `nil` where there is nothing.
    package func offered(of app: AppSlug) -> OfferedSnapshot? { served[app]?.offered }

    /// Looks at what was fetched from afar, and serves it if it may be served.
    @discardableResult
    package func load(_ fetched: FetchedSnapshot) -> LoadOutcome {
        let outcome = receive(fetched)
        if outcome.isNew { publish() }
        return outcome
    }

    /// Looks at a proof that came from afar, and serves it if it is of what is served.
    @discardableResult
    package func load(proof: [UInt8], of app: AppSlug) -> Bool {
        guard let current = served[app], let found = read(proof, of: current.snapshot.manifest)
        else { return false }
        // One that fewer witnesses have seen is of an origin that lags.
        if let proof = current.proof, proof.cosignatures > found.cosignatures { return true }
        served[app]?.proof = found
        publish()
        return true
    }

    // MARK: One app

    private func receive(_ fetched: FetchedSnapshot) -> LoadOutcome {
        do throws(LoadRefusal) {
            let snapshot = try fetched.verified(by: keys)
            try serve(snapshot, identity: nil, proof: fetched.proof)
            return .loaded(snapshot.manifest.manifest.sequence)
        } catch {
            return refuse(fetched.app, error)
        }
    }

    private func take(_ app: AppSlug) -> LoadOutcome {
        guard let reader else { return .absent }
        do throws(LoadRefusal) {
            guard let sequence = try reader.currentSequence(of: app) else { return .absent }
            // A snapshot that was lost is signed anew under its old number, in a new folder.
            let identity = try reader.identity(sequence, of: app)
            if let current = served[app], current.sequence == sequence,
                identity == nil || current.identity == identity
            {
                complaints.clear(app, serving: sequence, isNew: false)
                return takeProof(of: app, reader) ? .proven(sequence) : .unchanged(sequence)
            }
            try refuseIfOld(sequence, of: app)
            let proofVersion = reader.proofVersion(sequence, of: app)
            let found = UnwitnessedSnapshot(identity: identity, proof: proofVersion)
            if waiting[app] == found, let wait = complaints.wait(of: app) { throw wait }
            waiting[app] = settings.quorum > 0 ? found : nil
            let snapshot = try reader.snapshot(sequence, of: app, keys: keys)
            let proof = proofVersion == nil ? nil : reader.proof(sequence, of: app)
            try serve(snapshot, identity: identity, proof: proof)
            served[app]?.proofVersion = proofVersion
            waiting[app] = nil
            return .loaded(sequence)
        } catch {
            return refuse(app, error)
        }
    }

    /// Whether another proof of what is served is to be served than before.
    private func takeProof(of app: AppSlug, _ reader: SnapshotReader) -> Bool {
        guard let current = served[app] else { return false }
        let identity = reader.proofVersion(current.sequence, of: app)
        guard identity != current.proofVersion else { return false }
        served[app]?.proofVersion = identity
        guard let bytes = reader.proof(current.sequence, of: app),
            let proof = read(bytes, of: current.snapshot.manifest)
        else { return false }
        served[app]?.proof = proof
        return true
    }

    /// A proof that is of this manifest; no snapshot is refused for one that is not.
    private func read(_ proof: [UInt8], of manifest: VerifiedManifest) -> ServedProof? {
        guard let reader = settings.proofs else { return nil }
        // So the log that is served reaches as far as the proof does.
        if refreshLog() { publish() }
        switch reader(proof, manifest, log?.key) {
        case .proven(let cosignatures):
            complaints.clearProofs(of: manifest.manifest.app)
            return ServedProof(proof, cosignatures: cosignatures)
        case .refused(let reason):
            proofRefusals.increment()
            complaints.make(refusedProof: reason, of: manifest)
            return nil
        }
    }

    private func refuse(_ app: AppSlug, _ refusal: LoadRefusal) -> LoadOutcome {
        // Of several origins one is always the last; where nothing is served, somebody asks why.
        if settings.hasSeveralOrigins, case .older(_, let known) = refusal {
            if served[app] != nil { return .unchanged(known) }
            complaints.note(older: refusal, of: app)
            return .refused(refusal)
        }
        if !refusal.isUnwitnessed { waiting[app] = nil }
        complaints.make(refusal, of: app)
        return .refused(refusal)
    }

    private func refuseIfOld(
        _ sequence: SnapshotSequence,
        of app: AppSlug
    ) throws(LoadRefusal) {
        guard let known = knownSequence(of: app), sequence < known else { return }
        throw .older(found: sequence, known: known)
    }

    /// What was lost and signed anew has the same documents, whoever signs them; others under its
    /// number are of a history that was given up, or of the one that came after.
    private func refuseIfOther(_ snapshot: VerifiedSnapshot) throws(LoadRefusal) {
        let manifest = snapshot.manifest.manifest
        guard let current = served[manifest.app], current.sequence == manifest.sequence,
            !current.hasDocuments(of: snapshot)
        else { return }
        throw .otherDocuments(manifest.sequence)
    }

    private func serve(
        _ snapshot: VerifiedSnapshot,
        identity: FileIdentity?,
        proof: [UInt8]?
    ) throws(LoadRefusal) {
        let manifest = snapshot.manifest.manifest
        let (app, sequence) = (manifest.app, manifest.sequence)
        try refuseIfOld(sequence, of: app)
        try refuseIfOther(snapshot)
        let found = proof.flatMap { read($0, of: snapshot.manifest) }
        let best = served[app]?.bestProof(of: snapshot, bringing: found) ?? found
        let seen = best?.cosignatures ?? 0
        guard seen >= settings.quorum else {
            throw .unwitnessed(sequence, seen: seen, needed: settings.quorum)
        }
        var prepared = try ServedApp(snapshot, keys: keys)
        prepared.identity = identity
        prepared.proof = best
        for name in prepared.unreadable {
            logger.error(
                "devices are not answered from a file that a later program made",
                metadata: ["app.slug": "\(app)", "file.name": "\(name)"]
            )
        }
        complaints.clear(app, serving: sequence, isNew: served[app]?.sequence != sequence)
        served[app] = prepared
        remember(sequence, of: app)
        loads.increment()
        logger.info(
            "snapshot loaded",
            metadata: ["app.slug": "\(app)", "snapshot.sequence": "\(sequence)"]
        )
    }

    /// Whether other signatures are to be served of what is loaded than before.
    private func refreshSignatures() -> Bool {
        var isChanged = false
        for (slug, app) in served {
            do throws(LoadRefusal) {
                guard let prepared = try app.trusting(keys) else { continue }
                served[slug] = prepared
                isChanged = true
                logger.info(
                    "other keys sign for an app",
                    metadata: ["app.slug": "\(slug)", "keys.count": "\(prepared.shownKeys.count)"]
                )
            } catch {
                logger.error(
                    "signatures not served",
                    metadata: ["app.slug": "\(slug)", "refusal.reason": "\(error)"]
                )
            }
        }
        return isChanged
    }

    private func knownSequence(of app: AppSlug) -> SnapshotSequence? {
        if let known = remembered[app] { return known }
        remembered[app] = memory?.sequence(of: app)
        return remembered[app]
    }

    /// Before the edge goes over: what phones have seen is never forgotten.
    private func remember(_ sequence: SnapshotSequence, of app: AppSlug) {
        guard remembered[app] != sequence else { return }
        remembered[app] = sequence
        memory?.remember(sequence, of: app)
        writeMemory()
    }

    /// Before each look at an origin: sees to what the last ones have left.
    package func tidyUp() {
        writeMemory()
        complaints.tellOfLagging()
    }

    /// Writes down what the disk had no room for until now, too: it keeps no document from phones.
    private func writeMemory() {
        do throws(FileError) {
            try memory?.write()
            memoryComplaint.clear()
        } catch {
            memoryComplaint.make("sequence not remembered", error, to: logger)
        }
    }

    // MARK: All together

    /// Whether other keys are to be shown than before.
    ///
    /// Only trusted keys are shown: the list is not signed, and the edge vouches for nothing
    /// that came with the folder. But what it calls compromised is shown no more, whatever the
    /// operator's list says. Of a list that cannot be read what is shown stays, as far as it is
    /// trusted.
    private func refreshKeys() -> Bool {
        guard let found = reader?.publishedKeys() ?? publishedKeys else { return false }
        let shown = PublishedKeys(found.keys.filter { $0.state != .compromised && keys.trust($0) })
        guard shown != publishedKeys else { return false }
        publishedKeys = shown
        return true
    }

    /// An operator has given up the transparency log that is served: the one that begins anew is
    /// not held against it.
    package func forgetLog() {
        guard log != nil else { return }
        (log, logComplaint) = (nil, nil)
        publish()
    }

    /// Whether another transparency log is to be served than before.
    private func refreshLog() -> Bool {
        do throws(LogRefusal) {
            guard let found = try logReader?.log(after: log) else { return false }
            (log, logComplaint) = (found, nil)
            return true
        } catch {
            if logComplaint != error {
                logger.error("log refused", metadata: ["refusal.reason": "\(error)"])
            }
            logComplaint = error
            return false
        }
    }

    private func publish() {
        var table = EdgeComposition(
            apps: served.values.sorted { $0.publication.app < $1.publication.app },
            keys: publishedKeys,
            log: log,
            hosts: settings.hosts,
            answersDevices: edge.answersDevices,
            formerDefault: defaultApp,
            expected: Set(trustedApps)
        )
        defaultApp = table.defaultApp
        table.snapshots = settings.export.map { export in
            PublishedSnapshots(
                in: export,
                trusting: keys,
                newest: served.mapValues(\.sequence),
                proofs: settings.proofs,
                logKey: log?.key,
                quorum: settings.quorum
            )
        }
        if settings.servesPages { table.pages = pages.places(of: table) }
        edge.update(table.table)
        hasPublished = true
        settings.offer?(table.apps.compactMap(\.offered))
    }
}

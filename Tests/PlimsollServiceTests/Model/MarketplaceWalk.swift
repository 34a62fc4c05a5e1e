import FoundationEssentials
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollMarketplace
import PlimsollService
import PlimsollStore
import PlimsollTestSupport
import Testing

/// What happens to the packages of one app, and what a device has to be told of it.
struct MarketplaceWalk {
    private(set) var ground = MemoryGround(start: Instant(millisecondsSince1970: 1_795_000_000_000))
    private(set) var tally: [String: Int] = [:]
    private var generator: SeededGenerator
    private let seed: UInt64
    private let tidewater = slug("tidewater")
    /// After each append.
    private var documents: [Position: [Platform: Document]] = [:]
    private var applied: [(id: ChangeID, before: Position, after: Position)] = []
    private var withdrawnVersions: Set<AppleVersionID> = []
    private var withdrawnIDs: Set<PackageID> = []
    /// All that each version was ever called.
    private var ids: [AppleVersionID: Set<PackageID>] = [:]
    /// What Apple took away while the app was not listed.
    private var waitingIDs: Set<PackageID> = []
    private var isListed = false
    /// What was last said of each version.
    private var packages: [AppleVersionID: Package] = [:]

    init(_ seed: UInt64) throws {
        (self.seed, generator) = (seed, SeededGenerator(seed: seed))
        for app in [harbour, tidewater] {
            let key = KeyRecord(id: KeyID(UUID()), app: app, publicKey: [1])
            let registration = RegisterApp(
                slug: app,
                settings: try settings([.ios]),
                key: key,
                isDefault: nil,
                by: .system
            )
            _ = try #require(try ground.perform(registration))
        }
        let people: [(PrincipalID, Role)] = [
            (alice, .proposer), (bob, .approver), (rita, .responder), (root, .admin),
        ]
        for (principal, role) in people {
            let grant = RoleGrant(role, in: .all)
            _ = try #require(
                try ground.perform(AdmitPrincipal(principal, grants: [grant], by: .system))
            )
        }
        try take("set", setting(24))
        try list(true)
        try #require(tally["list"] == 1)
    }

    mutating func run(steps: Int, restartEvery rest: Int) throws {
        for step in 1...steps {
            ground.advance(by: Int64(1 + number(600_000)))
            try keepAppointments()
            try act()
            try askDevices()
            guard step.isMultiple(of: rest) else { continue }
            let before = try published()
            try ground.restart()
            #expect(try published() == before, "seed \(seed), step \(step)")
        }
    }

    private mutating func number(_ bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &generator)
    }

    private mutating func version() -> AppleVersionID { versionID(UInt64(1 + number(14))) }

    // MARK: What happens

    private mutating func act() throws {
        switch number(100) {
        case 0..<24: try ingest()
        case 24..<27: try withdraw()
        case 27..<29: try beNotified()
        case 29..<55: try take("propose", proposal())
        case 55..<82: try approve()
        case 82..<87: try rollBack()
        case 87..<93: try revert()
        case 93..<95: try list(number(3) > 0)
        case 95..<96: try take("set", setting(Int64(24 + number(3))))
        case 96..<97:
            try take(
                "freeze",
                StartFreeze(of: .app(harbour), reason: try Reason(validating: "Still."), by: rita)
            )
        default: try take("thaw", EndFreeze(of: .app(harbour), reason: nil, by: rita))
        }
    }

    /// Performs a command, and remembers what stands there then.
    @discardableResult
    private mutating func take(_ act: String, _ command: some Command) throws -> Bool {
        let before = ground.logState.position
        guard let events = try ground.perform(command) else { return false }
        tally[act, default: 0] += 1
        documents[ground.logState.position] = ground.logState.app(harbour)?.documents
        for event in events {
            guard case (.change(let id), .change(.changeApplied)) = (event.stream, event.event)
            else { continue }
            applied.append((id, before, ground.logState.position))
        }
        return true
    }

    private func setting(_ interval: Int64) -> SetMarketplace {
        SetMarketplace(
            of: tidewater,
            to: sampleMarketplace(pollingInterval: interval),
            seen: ground.logState.app(tidewater)?.distribution.marketplaceSince,
            reason: nil,
            by: root
        )
    }

    private func listing(_ listing: Listing?) -> ListApp {
        ListApp(harbour, in: tidewater, as: listing, reason: nil, by: root)
    }

    private mutating func ingest() throws {
        let number = version().number
        let id = self.number(3) == 0 ? nil : name(of: number)
        let system = ["17.0", "17.4", "26"][self.number(3)]
        let revision = Int64(1 + self.number(3))
        let isComplete = self.number(5) > 0
        let make = { (id: String?) in
            samplePackage(
                number,
                id: id,
                minimumSystem: system,
                revision: revision,
                isComplete: isComplete
            )
        }
        let command = IngestPackage(make(id), of: harbour, reason: nil, by: .system)
        guard try take("ingest", command) else { return }
        let version = versionID(number)
        packages[version] = make(id ?? packages[version]?.id?.text)
        if let id { ids[version, default: []].insert(packageID(id)) }
        noteWithdrawals()
    }

    /// Apple makes a version anew under another id now and then.
    private mutating func name(of version: UInt64) -> String {
        number(2) == 0 ? "p-\(version)" : "p-\(version)-anew"
    }

    private mutating func noteWithdrawals() {
        for (version, ids) in ids where !ids.isDisjoint(with: withdrawnIDs) {
            withdrawnVersions.insert(version)
        }
    }

    private mutating func list(_ isIn: Bool) throws {
        guard try take("list", listing(isIn ? sampleListing() : nil)) else { return }
        isListed = isIn
        guard isIn else { return }
        withdrawnIDs.formUnion(waitingIDs)
        waitingIDs = []
        noteWithdrawals()
    }

    private mutating func beNotified() throws {
        let id = name(of: version().number)
        let body = #"""
            {"data": {"type": "AppVersionsUnavailable", "version": 1, "attributes": {
            "marketplaceAppId": "\#(sampleMarketplace().item)", "appId": "\#(sampleListing().item)",
            "alternativeDistributionPackageIds": ["\#(id)"]}}}
            """#
        let notification = try #require(AppleNotification(Array(body.utf8)))
        guard try take("notify", TakeNotification(notification)) else { return }
        if isListed { withdrawnIDs.insert(packageID(id)) } else { waitingIDs.insert(packageID(id)) }
        noteWithdrawals()
    }

    private mutating func withdraw() throws {
        let number = version().number
        let byID = self.number(2) == 0
        let withdrawal = PackageWithdrawal(
            versions: byID ? [] : [versionID(number)],
            ids: byID ? [packageID(name(of: number))] : [],
            isDemanded: false
        )
        let command = WithdrawPackages(withdrawal, of: harbour, reason: nil, by: rita)
        guard try take("withdraw", command) else { return }
        withdrawnVersions.formUnion(withdrawal.versions)
        withdrawnIDs.formUnion(withdrawal.ids)
        noteWithdrawals()
    }

    private mutating func proposal() throws -> ProposeChange {
        let edit: PackageEdit
        switch number(4) {
        case 0:
            let usable = packages.keys.filter { !withdrawnVersions.contains($0) }.sorted()
            edit = .set(Array(usable.shuffled(using: &generator).prefix(number(5))))
        case 1: edit = .remove(version())
        case 2: edit = .move(version(), to: number(3))
        default: edit = .insert(version(), at: number(2) == 0 ? nil : number(3))
        }
        let now = ground.now
        let times = number(2)
        let schedule =
            times == 0
            ? Schedule(
                at: number(2) == 0 ? now.advanced(by: .seconds(300)) : nil,
                until: now.advanced(by: .seconds(600 + Int64(number(2400)))),
                timeZone: .utc
            ) : nil
        return ProposeChange(
            app: harbour,
            title: try Title(validating: "A change"),
            reason: nil,
            base: ground.logState.position,
            operations: [Operation(.ios, .packages(edit))],
            schedule: schedule,
            by: alice
        )
    }

    private mutating func approve() throws {
        let open = ground.logState.openChanges(of: harbour).suffix(3).map(\.id)
        guard let id = open.randomElement(using: &generator),
            let digest = try? ground.logState.examined(id, by: .system, ChangeDigest.init(of:))
                .digest
        else { return }
        try take(
            "approve",
            ApproveChange(
                change: id,
                seen: digest,
                comment: nil,
                by: bob,
                hash: ChangeDigest.init(of:)
            )
        )
    }

    private func past(_ position: Position) throws -> PastState {
        PastState(position: position, documents: try #require(documents[position]))
    }

    private mutating func rollBack() throws {
        let earlier = documents.keys.sorted().suffix(40)
        guard let target = earlier.randomElement(using: &generator) else { return }
        try take(
            "roll back",
            RollBack(
                app: harbour,
                request: .event(target),
                past: try past(target),
                reason: try Reason(validating: "Back."),
                by: rita
            )
        )
    }

    private mutating func revert() throws {
        guard let change = applied.suffix(6).randomElement(using: &generator) else { return }
        try take(
            "revert",
            RevertChange(
                change.id,
                of: harbour,
                before: try past(change.before),
                after: try past(change.after),
                reason: try Reason(validating: "Back."),
                by: rita
            )
        )
    }

    private mutating func keepAppointments() throws {
        while let due = ground.logState.appointments(dueBy: ground.now).due.first,
            let id = due.change
        {
            if due.act == .apply {
                guard try take("apply", ApplyDueChange(change: id, hash: ChangeDigest.init(of:)))
                else { return }
            } else {
                let ending = try #require(ground.logState.endingChange(id))
                let command = EndChange(change: id, past: try past(ending.before))
                guard try take("end", command) else { return }
            }
        }
    }

    // MARK: What devices are told

    /// The documents of both apps, as they would be published now.
    private func published() throws -> [String: [UInt8]] {
        let position = ground.logState.position
        let issue = SnapshotIssue(
            sequence: SnapshotSequence(orderedBy: position),
            position: position,
            issuedAt: ground.now,
            expiresAt: ground.now.advanced(by: .seconds(86_400))
        )
        var files: [String: [UInt8]] = [:]
        for app in ground.logState.apps {
            for format in WireFormat.all(of: app) where format.subject == .distribution {
                files["\(app.slug)/\(format.fileName)"] =
                    format.render(PublishedState(app), issue).bytes
            }
        }
        return files
    }

    private mutating func askDevices() throws {
        let files = try published()
        let market = try MarketplaceDocument(
            parsing: try #require(files["tidewater/marketplace.json"])
        )
        // What devices poll is of the same moment.
        let kit = try JSONValue(parsing: try #require(files["tidewater/marketplace-kit"]))
        let interval = market.marketplace.endpoints.pollingInterval
        #expect(kit["updates"]?["pollingInterval"]?.integer == interval)
        let apps =
            try files["harbour/packages.json"].map { [try PackagesDocument(parsing: $0)] } ?? []
        for app in apps {
            #expect(app.stamp.issue == market.stamp.issue)
            #expect(withdrawnVersions.isDisjoint(with: app.packages.map(\.version)))
            #expect(Set(app.withdrawn) == withdrawnVersions, "seed \(seed)")
        }
        let live = try #require(ground.logState.app(harbour)).document(.ios).packages
        #expect(withdrawnVersions.isDisjoint(with: live), "seed \(seed)")
        let storefront = Storefront(market, apps)
        for system in ["16.9", "17.0", "17.4.1", "26.0"] {
            let device = InstallingDevice(
                platform: .ios,
                system: try #require(AppleVersion(system))
            )
            let installed = number(4) == 0 ? nil : version()
            try askUpdates(storefront, device, installed, live, isListed: !apps.isEmpty)
            try askRestore(storefront, device, version(), live, isListed: !apps.isEmpty)
        }
    }

    /// Whether a device may get it, by what was said of it.
    private func runs(_ version: AppleVersionID, _ device: InstallingDevice) -> Bool {
        guard let package = packages[version], package.isComplete,
            let needed = package.minimumSystems[.ios]
        else { return false }
        return !withdrawnVersions.contains(version)
            && !VersionValue.dotted(device.system).isOlder(than: .dotted(needed))
    }

    private func askUpdates(
        _ storefront: Storefront,
        _ device: InstallingDevice,
        _ installed: AppleVersionID?,
        _ live: [AppleVersionID],
        isListed: Bool
    ) throws {
        let outcome = storefront.update(sampleListing().item, installed: installed, on: device)
        guard isListed else {
            #expect(outcome == .failed(.unlisted))
            return
        }
        let newest = live.filter { runs($0, device) && $0.number > installed?.number ?? 0 }.max()
        let isWithdrawn = installed.map(withdrawnVersions.contains) ?? false
        switch outcome {
        case .offered(let offer):
            #expect(offer.package.version == newest)
            #expect(offer.package == packages[offer.package.version])
        case .current:
            #expect(newest == nil, "seed \(seed)")
            #expect(!(isWithdrawn && live.isEmpty), "seed \(seed)")
        case .failed(let reason):
            #expect(reason == .withdrawn && isWithdrawn && newest == nil, "seed \(seed)")
        }
    }

    private func askRestore(
        _ storefront: Storefront,
        _ device: InstallingDevice,
        _ version: AppleVersionID,
        _ live: [AppleVersionID],
        isListed: Bool
    ) throws {
        let isDue = isListed && live.contains(version) && runs(version, device)
        switch storefront.restore(sampleListing().item, version, to: device) {
        case .offered(let offer): #expect(isDue && offer.package.version == version)
        case .failed(let reason):
            #expect(!isDue, "seed \(seed): \(reason)")
            let isWithdrawn = isListed && withdrawnVersions.contains(version)
            #expect((reason == .withdrawn) == isWithdrawn)
        case .current: Issue.record("seed \(seed): a restore is answered")
        }
    }
}

import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollTestSupport
import Testing

/// Which settings order a publication, and of what.
@Suite struct SettingsOrderTests {
    private var log = LogBuilder()
    private let key = KeyRecord(id: KeyID(UUID()), app: harbour, publicKey: [1])

    init() throws {
        try log.register(key)
    }

    /// Where the orders stand for each platform, and for Prince of Versions.
    private struct Standing: Equatable {
        let ios, android, macos, prince: SnapshotSequence?
    }

    private var standing: Standing {
        func sequence(_ platform: Platform) -> SnapshotSequence? {
            log.edition()?.documents.first { $0.format.platform == platform }?.order.sequence
        }
        return Standing(
            ios: sequence(.ios),
            android: sequence(.android),
            macos: sequence(.macos),
            prince: log.edition()?.princeOfVersions?.order.sequence
        )
    }

    private mutating func change(to settings: AppSettings) -> SnapshotSequence {
        log.append([(.app(harbour), .app(.appSettingsChanged(settings)))])
        return SnapshotSequence(orderedBy: log.logState.position)
    }

    @Test mutating func `a profile is in every document`() throws {
        let now = change(to: try settings(profile: .minimal))
        #expect(standing == Standing(ios: now, android: now, macos: nil, prince: now))
        #expect(log.edition()?.order.sequence == now)
        #expect(log.edition()?.order.position == log.logState.position)
        #expect(log.edition()?.state.profile == .minimal)
    }

    @Test mutating func `a new platform has a document, and leaves the others alone`() throws {
        let before = standing
        let now = change(to: try settings([.ios, .android, .macos]))
        #expect(
            standing
                == Standing(ios: before.ios, android: before.android, macos: now, prince: now)
        )
        let later = change(to: try settings([.ios, .android, .macos, .jvm]))
        #expect(
            standing
                == Standing(ios: before.ios, android: before.android, macos: now, prince: later)
        )
        #expect(log.edition()?.state.documents.map(\.platform).contains(.jvm) == true)
    }

    @Test mutating func `other clients of Prince of Versions are told something else`() throws {
        let before = standing
        let usual = try settings()
        let now = change(
            to: AppSettings(
                name: usual.name,
                platforms: usual.platforms,
                languages: usual.languages,
                fallbackLanguage: usual.fallbackLanguage,
                princeClients: .all
            )
        )
        #expect(
            standing
                == Standing(ios: before.ios, android: before.android, macos: nil, prince: now)
        )
        #expect(log.edition()?.state.princeClients == .all)
    }

    @Test mutating func `a name and languages are in no document`() throws {
        let before = log.edition()
        _ = change(to: try settings([.android, .ios], ["de", "en"], fallback: "de"))
        #expect(log.edition() == before)
    }

    @Test mutating func `an order rests on the settings that the app had`() throws {
        func basis() -> Position? { log.orders.basis(of: harbour)?.settings }
        #expect(basis() == Position(1))
        _ = change(to: try settings([.ios, .android], ["de", "en"], fallback: "de"))
        let languages = log.logState.position
        #expect(basis() == Position(1))
        log.renew()
        #expect(basis() == languages)
        _ = change(to: try settings(profile: .minimal))
        #expect(basis() == log.logState.position)
    }

    @Test mutating func `settings of one app order nothing of another`() throws {
        try log.register(KeyRecord(id: KeyID(UUID()), app: slug("quay"), publicKey: [2]))
        let before = log.orders.order(of: slug("quay"))
        _ = change(to: try settings(profile: .minimal))
        #expect(log.orders.order(of: slug("quay")) == before)
    }
}

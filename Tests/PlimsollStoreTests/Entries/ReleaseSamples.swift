import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport

/// The events of releases, as the golden files hold them.
enum ReleaseSamples {
    static func event(_ type: EventType, shape: Int) throws -> AppEvent {
        switch type {
        case .releaseRegistered:
            .releaseRegistered(
                Release(
                    platform: .ios,
                    version: dotted("6.00"),
                    facts: ReleaseFacts(
                        build: try Label(validating: "412"),
                        system: dotted("15.4"),
                        store: try Label(validating: "App Store"),
                        liveSince: EventSamples.instant("2026-11-20T09:00:00.000Z")
                    )
                )
            )
        case .releaseAmended:
            .releaseAmended(
                Release(
                    platform: .android,
                    version: code(320),
                    facts: ReleaseFacts(name: shape == 1 ? nil : VersionName("3.2.0"))
                )
            )
        case .versionSharesReplaced:
            .versionSharesReplaced(
                .ios,
                VersionShares(rows: [
                    .init(app: dotted("3.1.0"), system: dotted("15.4"), devices: 1200),
                    .init(app: dotted("3.0"), system: nil, devices: 80),
                ])
            )
        case .releaseWithdrawn: .releaseWithdrawn(.android, code(320))
        default: preconditionFailure("\(type) has no sample here")
        }
    }
}

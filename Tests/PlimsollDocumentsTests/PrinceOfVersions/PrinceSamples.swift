import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

/// Values that are written as they are read.
enum PrinceSamples {
    static func version(_ text: String, on platform: Platform) throws -> OfferVersion {
        try #require(OfferVersion(written: text, on: platform), "\(text)")
    }

    /// Versions by their first number: `3` is 3.0.0, and 300 on Android.
    static func version(_ number: Int, on platform: Platform) throws -> OfferVersion {
        try version(platform == .android ? "\(number * 100)" : "\(number).0.0", on: platform)
    }

    /// A system by its number: 15 is 15.0.0 on Apple's platforms.
    static func system(_ number: Int, on platform: Platform) throws -> OfferVersion {
        switch platform.systemKind {
        case .dotted: try version("\(number).0.0", on: platform)
        case .integer: OfferVersion(level: try #require(AndroidVersion(Int64(number))))
        }
    }

    static func metadata(_ members: [String: String]) throws -> [MetadataName: OfferValue] {
        var metadata: [MetadataName: OfferValue] = [:]
        for (name, text) in members {
            metadata[try #require(MetadataName(name))] = OfferValue(try Text(validating: text))
        }
        return metadata
    }

    static func custom(_ members: [String: String]) throws -> [RequirementName: OfferValue] {
        var custom: [RequirementName: OfferValue] = [:]
        for (name, text) in members {
            custom[try #require(RequirementName(name))] = OfferValue(try Text(validating: text))
        }
        return custom
    }

    /// When its store had all releases of ``names(_:)``.
    static let day = Instant(millisecondsSince1970: 1_700_000_000_000)

    /// Releases on Android by their version codes.
    static func names(_ names: [Int64: String]) throws -> ReleasesTold {
        var releases = ReleasesTold()
        for (code, name) in names {
            let release = Release(
                platform: .android,
                version: .integer(try #require(AndroidVersion(code))),
                facts: ReleaseFacts(name: VersionName(name), liveSince: day)
            )
            releases.evolve(recordedEvent(.app(.releaseRegistered(release)), at: day))
        }
        return releases
    }

    static func stamp() throws -> AppStamp {
        AppStamp(
            app: try #require(AppSlug("harbour")),
            issue: SnapshotIssue(
                sequence: try #require(SnapshotSequence(rawValue: 7)),
                position: try #require(Position(rawValue: 8)),
                issuedAt: try #require(Instant(rfc3339: "2026-01-02T03:04:05.000Z")),
                expiresAt: try #require(Instant(rfc3339: "2026-01-09T03:04:05.000Z"))
            )
        )
    }
}

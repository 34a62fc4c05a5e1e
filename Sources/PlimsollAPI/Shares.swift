package import PlimsollDomain
package import PlimsollJSON

extension Endpoints {
    static let shares: [any EndpointDeclaration] = [
        getVersionShares, replaceVersionShares, removeVersionShares,
    ]

    package static let getVersionShares = Read<AppPlatform, VersionSharesAnswer>(
        .get("getVersionShares", "/v1/apps/{app}/shares/{platform}"),
        "The last count of an app's devices on a platform."
    )

    package static let replaceVersionShares = Write<
        AppPlatform, VersionSharesForm, VersionSharesAnswer
    >(
        .put("replaceVersionShares", "/v1/apps/{app}/shares/{platform}"),
        "Replace the count of devices of a platform."
    )

    package static let removeVersionShares = Write<AppPlatform, ReasonForm, DryRunAnswer>(
        .delete("removeVersionShares", "/v1/apps/{app}/shares/{platform}"),
        "Remove the count of devices of a platform.",
        takes: "VersionSharesRemoval"
    )
}

/// The last count of an app's devices on a platform; without rows there was none.
package struct VersionSharesAnswer: Answer, Shaped {
    package let app: AppSlug
    package let platform: Platform
    package let shares: VersionShares

    package init(app: AppSlug, platform: Platform, shares: VersionShares) {
        (self.app, self.platform, self.shares) = (app, platform, shares)
    }

    package static let shape = Shape<Self>(
        "VersionShares",
        { Self(app: $0, platform: $1, shares: VersionShares(rows: $2)) },
        .required("app", \.app, .slug),
        .required("platform", \.platform, .names),
        .required("rows", \.shares.rows, .objects(VersionShares.Row.counted))
    )
    .telling(.required("devices", \.shares.devices, .integer(from: 0)))
    .withDryRun
}

/// The count of devices on a platform that a change is judged by: the event that brought it.
package struct CountAnswer: Answer, Shaped {
    package let platform: Platform
    package let position: Position
    package let by: PrincipalID
    package let at: Instant

    package init(platform: Platform, position: Position, by: PrincipalID, at: Instant) {
        (self.platform, self.position, self.by, self.at) = (platform, position, by, at)
    }

    package static let shape = Shape<Self>(
        nil,
        Self.init(platform:position:by:at:),
        .required("platform", \.platform, .names),
        .required("position", \.position, .position),
        .required("by", \.by, .principal),
        .required("at", \.at, .instant)
    )
}

extension [Platform: Position] {
    package var json: JSONObject {
        var json: JSONObject = [:]
        for (platform, position) in self { json[platform.rawValue] = JSONValue(position) }
        return json
    }
}

/// `{"platform": "ios", "devices": 1000, "before": 30, "after": 120, "added": 90, …}`
extension BlockedShare: Answer, Shaped {
    package static let shape = Shape<Self>(
        "BlockedShare",
        Self.init(platform:devices:before:after:added:),
        .required("platform", \.platform, .names),
        .required("devices", \.devices, .devices),
        .required("before", \.before, .devices),
        .required("after", \.after, .devices),
        .required("added", \.added, .devices)
    )
    .telling(.required("sentence", \.sentence, .string))
}

extension ValueShape<Int64> {
    /// Not more than a count can have: shares of more could not be calculated.
    fileprivate static let devices = ValueShape(
        "a number of devices from 0 to \(devicesAllowed.upperBound)",
        .integer(from: 0),
        { $0.integer.flatMap { devicesAllowed.contains($0) ? $0 : nil } },
        JSONValue.integer
    )
}

private let devicesAllowed: ClosedRange<Int64> =
    0...Int64(VersionShares.rowsMaximum) * VersionShares.Row.devicesMaximum

extension VersionShares {
    /// How many devices there are by another count, in all and then by their versions.
    func differences(to other: VersionShares) -> [Difference] {
        let (mine, theirs) = (counts, other.counts)
        let all = difference("devices", "devices", total, other.total)
        let members = mine.keys.sorted() + theirs.keys.filter { mine[$0] == nil }.sorted()
        return [all].compactMap(\.self)
            + members.compactMap { versions in
                let (member, subject) = ("devices.\(versions)", "devices with \(versions)")
                return difference(member, subject, mine[versions], theirs[versions])
            }
    }

    private func difference(
        _ member: String,
        _ subject: String,
        _ before: Int64?,
        _ after: Int64?
    ) -> Difference? {
        guard before != after else { return nil }
        return Difference(
            member: member,
            subject: subject,
            before: before?.description,
            after: after?.description
        )
    }

    /// `nil` where nothing was counted.
    private var total: Int64? { rows.isEmpty ? nil : devices }

    private var counts: [String: Int64] {
        Dictionary(rows.map { ($0.versions, $0.devices) }, uniquingKeysWith: +)
    }
}

extension VersionShares.Row {
    /// `3.1.0 on 15.4`.
    fileprivate var versions: String { app.description + (system.map { " on \($0)" } ?? "") }
}

/// The body of `PUT /v1/apps/{app}/shares/{platform}`, and what a JSON file says.
///
/// ```json
/// {"rows": [{"app": "3.1.0", "os": "15.4", "devices": 1200}, {"app": "3.0", "devices": 80}]}
/// ```
package struct VersionSharesForm: Form, Shaped {
    package let shares: VersionShares
    package let reason: Reason?

    package init(shares: VersionShares, reason: Reason? = nil) {
        self.shares = shares
        self.reason = reason
    }

    package static let shape = Shape<Self>(
        "VersionSharesOrder",
        { Self(shares: VersionShares(rows: $0), reason: $1) },
        .required("rows", \.shares.rows, .objects(VersionShares.Row.shape, atLeast: 1)),
        .optional("reason", \.reason, .reason)
    )
}

extension VersionShares.Row: Form, Shaped {
    package static let shape = Shape<Self>(
        "VersionShare",
        Self.init(app:system:devices:),
        // Which form they have to have depends on the platform, which stands elsewhere.
        .required("app", \.app, .version),
        .optional("os", \.system, .version),
        .required("devices", \.devices, .integer(from: 1, to: Int(devicesMaximum)))
    )

    /// As an answer has it; of a form the rules ask the same.
    fileprivate static let counted = shape.checking { row, reader in
        guard !(1...devicesMaximum).contains(row.devices) else { return }
        reader.refuse("devices", "A row has from 1 to \(devicesMaximum) devices.")
    }
}

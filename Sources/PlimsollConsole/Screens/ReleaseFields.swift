import Foundation
import Hummingbird
import PlimsollAPI
import PlimsollDomain

/// Releases and counts of devices, as forms have them.
extension Visit {
    /// Proposals of the version as a line of its platform.
    func proposals(of release: Release, at place: AppRelease) -> [Fields] {
        guard offers.has(.proposer, in: .app(place.app)) else { return [] }
        return place.platform.thresholds.filter { [.minimumApp, .recommendedApp].contains($0) }
            .map { name in
                let field = Field(place.platform, name, .value)
                let title = language(
                    "releases.proposal",
                    [
                        "field": field.longName(language), "version": place.version,
                    ]
                )
                let query = FormFields([
                    ("platform", place.platform.rawValue), ("title", title),
                    (field.path, place.version.description),
                ])
                return [
                    "name": language["releases.propose.\(name.rawValue)"],
                    "address": "/apps/\(place.app)/propose?\(query.encoded)",
                ]
            }
    }

    /// Who says what is so of releases and of devices is the policy's to say.
    func releaseOffers(in app: AppSlug) async throws -> Fields {
        let policy = try await rest.call(Endpoints.getPolicy, app).policy
        let own: Fields = [
            "register": offers.meets(policy.releases, of: app),
            "count": offers.meets(policy.shares, of: app),
        ]
        return offers.fields(in: .app(app)).merging(own) { $1 }
    }

    var appPlatform: AppPlatform {
        get throws { AppPlatform(try app, try parameter("platform", Platform.init(rawValue:))) }
    }

    var appRelease: AppRelease {
        get throws {
            let place = try appPlatform
            let version = try parameter("version") {
                VersionValue(text: $0, place.platform.versionKind)
            }
            return AppRelease(place.app, place.platform, version)
        }
    }

    func release(at place: AppRelease) async throws -> Release {
        let releases = try await rest.releases(of: place.app, on: place.platform).releases
        guard let release = releases.first(where: { $0.version == place.version }) else {
            throw HTTPError(.notFound)
        }
        return release
    }

    /// The facts that a form says; what is left empty is not known.
    func releaseFacts(on platform: Platform) throws -> ReleaseFacts {
        try ReleaseFactName.allCases.reduce(into: ReleaseFacts()) { facts, fact in
            let edit = try optional(fact.rawValue, called: fact.name(language)) { text in
                let time = fact.isTime ? LocalTime(text)?.inUTC.rfc3339 : nil
                return try fact.edit(written: time ?? text, on: platform)
            }
            if let edit { facts.apply(edit) }
        }
    }

    /// The devices of the table that a form has.
    func shares(on platform: Platform) throws -> VersionShares {
        let table = PastedTable(form.whole("csv") ?? "")
        do throws(SharesTableFault) {
            return try VersionShares(
                csv: Array(table.csv.utf8),
                platform,
                columns: table.columns
            )
        } catch {
            let fault = Problem.Fault(
                at: .parameter("csv"),
                code: "valueWrong",
                detail: error.sentence,
                remedy: language("form.remedy", ["field": language["form.csv"]])
            )
            let problem = Problem(.invalidRequest, detail: error.sentence, errors: [fault])
            throw AdminError(.refused(problem), url: request.uri.path)
        }
    }

    /// Each fact of a release as it was typed, or else as it is known; what every platform has is
    /// first.
    func factFields(of facts: ReleaseFacts?) -> [Fields] {
        ([.os] + ReleaseFactName.allCases.filter { $0 != .os }).map { fact in
            let (name, words) = (fact.rawValue, facts?.words(fact))
            let time = fact.isTime ? words.flatMap(Instant.init(rfc3339:)) : nil
            let known = time?.local ?? words
            let value = form.has(name) ? form[name] ?? "" : known ?? ""
            return Fields(all: [
                "name": name, "label": fact.name(language), "value": value,
                "isKnown": !value.isEmpty, "isTime": fact.isTime, "hint": Self.hints[fact],
            ])
        }
    }

    private static let hints: [ReleaseFactName: String] = [.os: "15.0", .store: "App Store"]

    /// The newest release first, and how many devices were counted with each version.
    func fields(
        of releases: [Release],
        _ shares: VersionShares,
        on platform: Platform
    ) -> Fields {
        var devices: [[Int32]: Int64] = [:]
        for row in shares.rows { devices[row.app.comparable, default: 0] += row.devices }
        let isTyped = form.has("csv") && context.parameters.get("platform") == platform.rawValue
        return Fields(all: [
            "platform": platform.rawValue, "name": platform.name, "isEmpty": releases.isEmpty,
            "releases": releases.reversed().map { release in
                Fields(all: [
                    "version": release.version.description,
                    "versionName": release.facts.name?.text, "build": release.facts.build?.text,
                    "system": release.facts.system.map { "\(platform.name) \($0)" },
                    "store": release.facts.store?.text,
                    "liveSince": time(release.facts.liveSince),
                    "share": shares.devices > 0
                        ? bar(
                            of: devices[release.version.comparable] ?? 0,
                            in: shares.devices,
                            isPlain: true
                        )
                        : nil,
                ])
            },
            "hasShares": shares.devices > 0, "devices": shares.devices.description,
            "rows": shares.rows.map { row in
                Fields(all: [
                    "version": row.app.description,
                    "system": row.system.map { "\(platform.name) \($0)" },
                    "share": bar(of: row.devices, in: shares.devices, isPlain: true),
                ])
            },
            "csv": isTyped ? form.whole("csv") ?? "" : "", "isTyped": isTyped,
            "why": reasonTyped(to: "shares/\(platform.rawValue)"),
            "removal": reasonTyped(to: "shares/\(platform.rawValue)/remove"),
        ])
    }
}

extension ReleaseFactName {
    /// What a form calls it.
    func name(_ language: Language) -> String { language.translations(.fact, rawValue) ?? label }
}

extension Instant {
    /// As a form has it, in UTC.
    fileprivate var local: String { LocalTime(inUTC: self).text }
}

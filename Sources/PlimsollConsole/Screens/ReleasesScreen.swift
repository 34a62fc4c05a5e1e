import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// Which versions of an app there are, and on how many devices each runs.
enum ReleasesScreen {
    static let routes: [Route] =
        [
            .page("/apps/:app/releases", page),
            .act("/apps/:app/releases", on: page) { visit in
                let app = try visit.app
                let platform = try visit.needed("platform", Platform.init(rawValue:))
                let version = try visit.version("version", on: platform)
                let form = ReleaseForm(
                    facts: try visit.releaseFacts(on: platform),
                    reason: try visit.reasonIfAny
                )
                let place = AppRelease(app, platform, version)
                _ = try await visit.rest.call(
                    Endpoints.registerRelease,
                    place,
                    form,
                    visit.write
                )
                return .moved(to: "/apps/\(app)/releases?done=release-register")
            },
        ] + shares

    private static let shares: [Route] = [
        .act("/apps/:app/shares/:platform", on: page) { visit in
            let place = try visit.appPlatform
            let form = VersionSharesForm(
                shares: try visit.shares(on: place.platform),
                reason: try visit.reasonIfAny
            )
            _ = try await visit.rest.call(
                Endpoints.replaceVersionShares,
                place,
                form,
                visit.write
            )
            let list = "/apps/\(place.app)/releases"
            return .moved(to: "\(list)?done=shares-import#shares-\(place.platform.rawValue)")
        },
        .act("/apps/:app/shares/:platform/remove", on: page) { visit in
            let place = try visit.appPlatform
            let form = ReasonForm(reason: try visit.reasonIfAny)
            try await visit.rest.call(Endpoints.removeVersionShares, place, form, visit.write)
            return .moved(to: "/apps/\(place.app)/releases?done=shares-remove")
        },
    ]

    static func page(_ visit: Visit) async throws -> Page {
        let app = try await visit.rest.call(Endpoints.getApp, try visit.app)
        let releases = try await visit.rest.releases(of: app.slug).releases
        let names = try await visit.names()
        var filter = EventFilter()
        (filter.apps, filter.types) = ([app.slug], ["VersionSharesReplaced"])
        let counts = try await visit.readableEvents(filter, PageOptions(limit: 50))
        var platforms: [Fields] = []
        for platform in app.settings.platforms {
            let place = AppPlatform(app.slug, platform)
            let shares = try await visit.rest.call(Endpoints.getVersionShares, place).shares
            let own = releases.filter { $0.platform == platform }
            let count = counts.first { $0.body.data["platform"]?.string == platform.rawValue }
            let fields = visit.fields(of: own, shares, on: platform)
            let more = Fields(all: ["count": count.map { visit.row(of: $0, names) }])
            platforms.append(fields.merging(more) { $1 })
        }
        var page = Page(
            "releases",
            "\(visit.language["releases.title"]): \(app.settings.name.text)"
        )
        page.fields["may"] = try await visit.releaseOffers(in: app.slug)
        page.fields["slug"] = app.slug.text
        page.fields["platforms"] = platforms
        page.fields["facts"] = visit.factFields(of: nil)
        page.fields["reason"] = visit.reasonTyped(to: "releases") ?? ""
        page.fields["versionValue"] = visit.form["version"] ?? ""
        page.fields["isTyped"] = visit.form.has("version") || releases.isEmpty
        page.fields["choices"] = app.settings.platforms.map {
            [
                "value": $0.rawValue, "name": $0.name,
                "isChosen": $0.rawValue == visit.form["platform"],
            ]
        }
        return page
    }
}

/// One version: its facts, to be corrected, or to be taken back.
enum ReleaseScreen {
    static let routes: [Route] = [
        .page("/apps/:app/releases/:platform/:version", page),
        .act("/apps/:app/releases/:platform/:version/amend", on: page) { visit in
            let place = try visit.appRelease
            let release = try await visit.release(at: place)
            let facts = try visit.releaseFacts(on: place.platform)
            let form = ReleaseAmendmentForm(
                facts: facts,
                // What a form has no field for stays. What is known by now has no say, so that the
                // same form asks for the same.
                unset: ReleaseFactName.allCases.filter { name in
                    visit.form.has(name.rawValue) && facts.words(name) == nil
                },
                reason: try visit.reasonIfAny
            )
            let amended = try await visit.rest.call(
                Endpoints.amendRelease,
                place,
                form,
                visit.write
            ).release
            let done = amended == release ? "release-same" : "release-amend"
            return .moved(to: "/apps/\(place.app)/releases?done=\(done)")
        },
        .act("/apps/:app/releases/:platform/:version/withdraw", on: page) { visit in
            let place = try visit.appRelease
            let form = ReasonForm(reason: try visit.reasonIfAny)
            try await visit.rest.call(Endpoints.withdrawRelease, place, form, visit.write)
            return .moved(to: "/apps/\(place.app)/releases?done=release-withdraw")
        },
    ]

    static func page(_ visit: Visit) async throws -> Page {
        let place = try visit.appRelease
        let release = try await visit.release(at: place)
        var page = Page(
            "release",
            "\(place.platform.name) \(place.version)",
            [
                "slug": place.app.text,
                "platform": place.platform.rawValue, "version": place.version.description,
                "facts": visit.factFields(of: release.facts),
                "reason": visit.reasonTyped(to: "amend") ?? "",
                "why": visit.reasonTyped(to: "withdraw"),
            ]
        )
        page.fields["may"] = try await visit.releaseOffers(in: place.app)
        page.fields["proposals"] = visit.proposals(of: release, at: place)
        return page
    }
}

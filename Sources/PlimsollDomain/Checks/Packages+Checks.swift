extension Document {
    /// What the checks find between what marketplaces offer after these changes and the rest that is
    /// said of the app.
    func findingsInPackages(
        after changes: [FieldChange],
        of before: Document,
        _ grounds: CheckGrounds
    ) -> [CheckFinding] {
        let fields = Set(changes.map(\.field))
        let book = grounds.distribution.packages
        let offered = packages.compactMap { book[$0] }
        let added = offered.filter { !before.packages.contains($0.version) }
        return minimumNotOffered(offered, fields, grounds)
            + packagesNeedingMore(
                fields.contains(Field(platform, .minimumOS, .value)) ? offered : added,
                fields
            )
            + packagesUnlikeReleases(added, grounds.releases.releases(on: platform))
    }

    /// Found at the minimum where that was written, else at what is offered.
    private func minimumNotOffered(
        _ offered: [Package],
        _ fields: Set<Field>,
        _ grounds: CheckGrounds
    ) -> [CheckFinding] {
        let minimum = Field(platform, .minimumApp, .value)
        guard let field = [minimum, .packages].first(where: fields.contains),
            !grounds.distribution.listings.isEmpty, platform == .ios,
            let value = self[.minimumApp].value, value.holdsSomebodyBack
        else { return [] }
        let versions = offered.map(\.writtenVersion)
        // What cannot be read as a version may be new enough.
        guard versions.allSatisfy({ $0?.isOlder(than: value) ?? false }) else { return [] }
        let newest = versions.compactMap(\.self).max { $0.isOlder(than: $1) }
        return [
            CheckFinding(
                .minimumNotOffered,
                field,
                "\(minimum) is \(value), and the newest version that marketplaces offer is"
                    + " \(newest.map { "\($0)" } ?? "none"): whoever installed from there has nothing"
                    + " to install."
            )
        ]
    }

    private func packagesNeedingMore(
        _ packages: [Package],
        _ fields: Set<Field>
    ) -> [CheckFinding] {
        guard let lowest = self[.minimumOS].value, lowest.holdsSomebodyBack else { return [] }
        let demanding = packages.compactMap { package -> String? in
            guard let needed = package.minimumSystems[.ios],
                lowest.isOlder(than: .dotted(needed))
            else { return nil }
            return "\(package.name) needs iOS \(needed.written)"
        }
        guard !demanding.isEmpty else { return [] }
        let field = fields.contains(.packages) ? .packages : Field(platform, .minimumOS, .value)
        return [
            CheckFinding(
                .packageNeedsNewerSystem,
                field,
                "\(listed(demanding)), and minimumOS is \(lowest): who is in between is let in, and"
                    + " cannot install it."
            )
        ]
    }

    /// The App Store and a marketplace hand out one version in two builds.
    private func packagesUnlikeReleases(
        _ packages: [Package],
        _ releases: [Release]
    ) -> [CheckFinding] {
        let differing = packages.flatMap { package -> [String] in
            guard let version = package.writtenVersion,
                let release = releases.first(where: { $0.version.isSame(as: version) })
            else { return [] }
            var words: [String] = []
            if let build = release.facts.build, build.text != package.bundleVersion.text {
                words.append(
                    "\(package.name) is build \(package.bundleVersion.text), and its release is"
                        + " \(build.text)"
                )
            }
            if let system = release.facts.system, let needed = package.minimumSystems[.ios],
                !system.isSame(as: .dotted(needed))
            {
                words.append(
                    "\(package.name) needs iOS \(needed.written), and its release \(system)"
                )
            }
            return words
        }
        guard !differing.isEmpty else { return [] }
        return [CheckFinding(.packageDiffersFromRelease, .packages, "\(listed(differing)).")]
    }

    private func listed(_ words: [String]) -> String {
        let more = words.count - 5
        return words.prefix(5).joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
    }
}

extension Package {
    /// What people read, as a version; `nil` where it is none.
    fileprivate var writtenVersion: VersionValue? {
        AppleVersion(shortVersion.text).map(VersionValue.dotted)
    }

    fileprivate var name: String { "\(shortVersion.text) (\(version))" }
}

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
        return minimumNotOffered(offered, fields, of: before, grounds)
            + packagesNeedingMore(
                fields.contains(Field(platform, .minimumOS, .value)) ? offered : added,
                fields
            )
            + packagesUnlikeReleases(added, grounds.releases.releases(on: platform))
    }

    /// Found at the minimum where that was written, else at what is offered, else at the system that
    /// lets people in.
    ///
    /// Whoever offers what some can install, where nobody could install anything, makes nothing worse.
    private func minimumNotOffered(
        _ offered: [Package],
        _ fields: Set<Field>,
        of before: Document,
        _ grounds: CheckGrounds
    ) -> [CheckFinding] {
        let minimum = Field(platform, .minimumApp, .value)
        let system = Field(platform, .minimumOS, .value)
        guard let field = [minimum, .packages, system].first(where: fields.contains),
            !grounds.distribution.listings.isEmpty, platform == .ios,
            let value = self[.minimumApp].value, value.holdsSomebodyBack,
            let words = words(
                for: offered.standing(against: value, below: self[.minimumOS].value),
                isAppWritten: field != system,
                asksSystems: grounds.strictness.mindsSystems
                    && (field == minimum || before.satisfies(value, by: grounds))
            )
        else { return [] }
        return [CheckFinding(.minimumNotOffered, field, "\(minimum) is \(value), and \(words)")]
    }

    /// `nil` where nothing is wrong with it, or was so before.
    private func words(
        for standing: PackageStanding,
        isAppWritten: Bool,
        asksSystems: Bool
    ) -> String? {
        switch standing {
        case .older(let newest) where isAppWritten:
            "the newest version that marketplaces offer is \(newest.map { "\($0)" } ?? "none"):"
                + " whoever installed from there has nothing to install."
        case .needingMore(let packages, than: let lowest) where asksSystems:
            "of what marketplaces offer only \(listed(packages)), and minimumOS is \(lowest): who is"
                + " in between and installed from there has nothing to install."
        case .installable, .older, .needingMore: nil
        }
    }

    /// Whether everybody whom it lets in can install from a marketplace what satisfies a minimum.
    private func satisfies(_ minimum: VersionValue, by grounds: CheckGrounds) -> Bool {
        let offered = packages.compactMap { grounds.distribution.packages[$0] }
        guard
            case .installable = offered.standing(against: minimum, below: self[.minimumOS].value)
        else { return false }
        return true
    }

    private func packagesNeedingMore(
        _ packages: [Package],
        _ fields: Set<Field>
    ) -> [CheckFinding] {
        guard let lowest = self[.minimumOS].value, lowest.holdsSomebodyBack else { return [] }
        let demanding = packages.compactMap { $0.need(above: lowest) }
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

/// Whether what is offered satisfies a minimum of the app.
private enum PackageStanding {
    /// It does, for everybody whom the minimum system lets in.
    case installable
    /// None of it does; the newest version that can be read as one.
    case older(newest: VersionValue?)
    /// Only what needs a newer system, each as it is told.
    case needingMore([String], than: VersionValue)
}

extension [Package] {
    fileprivate func standing(
        against minimum: VersionValue,
        below lowest: VersionValue?
    ) -> PackageStanding {
        // What cannot be read as a version may be new enough.
        let satisfying = filter { !($0.writtenVersion?.isOlder(than: minimum) ?? false) }
        guard !satisfying.isEmpty else {
            return .older(newest: compactMap(\.writtenVersion).max { $0.isOlder(than: $1) })
        }
        guard let lowest, lowest.holdsSomebodyBack else { return .installable }
        let needs = satisfying.compactMap { $0.need(above: lowest) }
        return needs.count < satisfying.count ? .installable : .needingMore(needs, than: lowest)
    }
}

extension Package {
    /// That it needs a newer iOS than the lowest that is let in; `nil` where it does not.
    fileprivate func need(above lowest: VersionValue) -> String? {
        guard let needed = minimumSystems[.ios], lowest.isOlder(than: .dotted(needed)) else {
            return nil
        }
        return "\(name) needs iOS \(needed.written)"
    }

    /// What people read, as a version; `nil` where it is none.
    fileprivate var writtenVersion: VersionValue? {
        AppleVersion(shortVersion.text).map(VersionValue.dotted)
    }

    fileprivate var name: String { "\(shortVersion.text) (\(version))" }
}

/// An edit of the list of packages that an app offers on a platform.
///
/// Devices get the newest that they can run, whatever the order; people who look at the list see its
/// order.
package enum PackageEdit: Codable, Hashable, Sendable {
    case set([AppleVersionID])
    /// At the end where no place is named.
    case insert(AppleVersionID, at: Int?)
    case move(AppleVersionID, to: Int)
    case remove(AppleVersionID)
}

extension PackageEdit {
    package static let listMaximum = 200

    /// The versions that it puts into the list.
    var versions: [AppleVersionID] {
        switch self {
        case .set(let versions): versions
        case .insert(let version, _): [version]
        case .move, .remove: []
        }
    }

    /// Where in the edit one of them stands, where the edit is at the pointer.
    fileprivate func place(of index: Int, at pointer: Pointer) -> Pointer {
        if case .set = self { return pointer.appending("packages").appending(index) }
        return pointer.appending("version")
    }

    /// The place in the list that it speaks of, and the member that names it.
    fileprivate var wantedPlace: (name: String, place: Int)? {
        switch self {
        case .insert(_, let place): place.map { ("at", $0) }
        case .move(_, let place): ("to", place)
        case .set, .remove: nil
        }
    }

    /// What the edit makes of a list; an edit of what is not there changes nothing.
    package func result(of list: [AppleVersionID]) -> [AppleVersionID] {
        var list = list
        switch self {
        case .set(let versions): return versions
        case .insert(let version, let place):
            guard !list.contains(version) else { return list }
            list.insert(version, at: min(place ?? list.count, list.count))
        case .move(let version, let place):
            guard let index = list.firstIndex(of: version) else { return list }
            list.remove(at: index)
            list.insert(version, at: min(place, list.count))
        case .remove(let version): list.removeAll { $0 == version }
        }
        return list
    }
}

extension App {
    /// What stands in the way of edits of packages, one after another.
    func packageObjections(to edits: SparingOperations) -> [Objection] {
        var list = document(.ios).packages
        return edits.sent.enumerated().flatMap { index, operation -> [Objection] in
            guard !edits.spares(operation), case .packages(let edit) = operation.subject else {
                return []
            }
            let pointer = Pointer("/operations").appending(index)
            defer { list = edit.result(of: list) }
            return objections(to: edit, on: operation.platform, of: list, at: pointer)
        }
    }

    /// What stands in the way of an edit of packages, where it is the one at the pointer.
    private func objections(
        to edit: PackageEdit,
        on platform: Platform,
        of list: [AppleVersionID],
        at pointer: Pointer
    ) -> [Objection] {
        guard platform == .ios else { return [.packageRefused(.platform(platform), at: pointer)] }
        guard edit.result(of: list).count <= PackageEdit.listMaximum else {
            return [.listTooLong(maximum: PackageEdit.listMaximum, at: pointer)]
        }
        var objections = edit.versions.enumerated().compactMap { index, version in
            packageFault(version).map { fault -> Objection in
                .packageRefused(fault, at: edit.place(of: index, at: pointer))
            }
        }
        switch edit {
        case .set(let versions):
            for (index, version) in versions.enumerated()
            where versions.firstIndex(of: version) != index {
                objections.append(.repeated(version.text, at: edit.place(of: index, at: pointer)))
            }
        case .insert(let version, _) where list.contains(version):
            let place = pointer.appending("version")
            objections.append(.packageRefused(.offeredAlready(version), at: place))
        case .move(let version, _) where !list.contains(version),
            .remove(let version) where !list.contains(version):
            let place = pointer.appending("version")
            objections.append(.packageRefused(.notOffered(version), at: place))
        case .insert, .move, .remove: break
        }
        if let (name, place) = edit.wantedPlace, place > list.count {
            objections.append(
                .numberOutside(0...Int64(list.count), at: pointer.appending(name))
            )
        }
        return objections
    }

    /// Devices fetch a package only where it lies on a domain of the marketplace that hands it out: of
    /// those that could be handed out, each has to lie on one of a marketplace, unless none of those
    /// before had it either.
    func objections(
        toPackagesOutside marketplaces: [Marketplace],
        before: [Marketplace]? = nil
    ) -> [Objection] {
        let packages = distribution.packages
        let outside = packages.all.filter { package in
            packages.isAvailable(package.version)
                && !marketplaces.contains { $0.covers(package.address) }
                && before?.contains { $0.covers(package.address) } ?? true
        }
        let domains = marketplaces.flatMap(\.domains)
        return Dictionary(grouping: outside, by: \.address.host).sorted { $0.key < $1.key }.map {
            .packageRefused(.elsewhere($1.map(\.version), $0, domains), at: "")
        }
    }

    private func packageFault(_ version: AppleVersionID) -> PackageFault? {
        let packages = distribution.packages
        if packages.isWithdrawn(version) { return .withdrawn(version) }
        guard let package = packages[version] else { return .unknown(version) }
        return package.isComplete ? nil : .incomplete(version)
    }
}

/// Why a package is not offered, or not as it was asked for.
package enum PackageFault: Equatable, Sendable {
    case platform(Platform)
    case unknown(AppleVersionID)
    case withdrawn(AppleVersionID)
    /// A key of a variant is missing.
    case incomplete(AppleVersionID)
    /// What is known already has all of them.
    case lacksKeys(AppleVersionID, revision: Int64)
    case offeredAlready(AppleVersionID)
    case notOffered(AppleVersionID)
    /// On a host that belongs to no marketplace which lists the app.
    case elsewhere([AppleVersionID], String, [DomainName])
}

extension PackageFault {
    package var sentence: String {
        switch self {
        case .platform(let platform):
            "Marketplaces install on ios; \(platform.rawValue) has no packages."
        case .unknown(let version): "There is no package of version \(version)."
        case .withdrawn(let version):
            "The package of version \(version) was withdrawn, and is never offered again."
        case .incomplete(let version):
            "The package of version \(version) lacks keys of its variants; devices would get no licence."
        case .lacksKeys(let version, let revision):
            "Revision \(revision) of version \(version) lacks keys of its variants, and would take the"
                + " place of one that has all."
        case .offeredAlready(let version): "Version \(version) is offered already."
        case .notOffered(let version): "Version \(version) is not offered."
        case .elsewhere(let versions, let host, let domains):
            "The packages of \(counted(versions)) lie on \(host), which belongs to no registered domain of"
                + " the marketplace: \(domains.map(\.text).joined(separator: ", "))."
        }
    }
}

/// The first of some versions, and how many more there are.
private func counted(_ versions: [AppleVersionID]) -> String {
    let named = versions.prefix(5).map(\.text).joined(separator: ", ")
    return versions.count > 5 ? "\(named) and \(versions.count - 5) more" : named
}

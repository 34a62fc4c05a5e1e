/// The native library for iOS and macOS before 4.0, which reads the object of that time.
struct AppleThree {
    private let key: String

    init(_ key: String) { self.key = key }

    func check(
        _ document: [UInt8],
        _ device: PrinceOfVersionsDevice,
        _ memory: inout PrinceOfVersionsMemory
    ) throws(PrinceOfVersionsFailure) -> PrinceOfVersionsOutcome {
        let root = ClientValue(reading: document, as: .foundation)?.object
        guard
            let root, let told = root[key]?.object, let offered = told["latest_version"]?.object,
            let latest = offered["version"]?.string.flatMap(AppleClientVersion.init)
        else { throw PrinceOfVersionsFailure("invalidJsonData") }
        guard let installed = device.appleVersion else {
            throw PrinceOfVersionsFailure("invalidCurrentVersion")
        }
        let system = AppleClientVersion(device.os)
        let minimum = version(told, "minimum_version")
        let isMinimumSatisfied =
            !reaches(system, version(told, "minimum_version_min_sdk"))
            || minimum.map { installed >= $0 } ?? true
        let mayNotify =
            offered["notification_type"]?.string == "ALWAYS"
            || !memory.notified.contains(latest.text)
        let isNew =
            latest > installed && mayNotify && reaches(system, version(offered, "min_sdk"))
        if isNew { memory.notified.insert(latest.text) }
        return .answered(
            PrinceOfVersionsUpdate(
                status: status(isNew: isNew, isMinimumSatisfied: isMinimumSatisfied),
                updateVersion: isNew ? latest.text : installed.text,
                meta: root["meta"]?.object?.shown,
                isMinimumSatisfied: isMinimumSatisfied
            )
        )
    }

    /// An update that is not new is not told of as required either: the app has to look at
    /// whether the minimum is satisfied by itself.
    private func status(isNew: Bool, isMinimumSatisfied: Bool) -> PrinceOfVersionsStatus {
        guard isNew else { return .noUpdateAvailable }
        return isMinimumSatisfied ? .newUpdateAvailable : .requiredUpdateNeeded
    }

    /// What is missing or no version is passed over.
    private func version(_ object: ClientObject, _ key: String) -> AppleClientVersion? {
        object[key]?.string.flatMap(AppleClientVersion.init)
    }

    private func reaches(_ system: AppleClientVersion?, _ demanded: AppleClientVersion?) -> Bool {
        guard let system, let demanded else { return true }
        return system >= demanded
    }
}

/// The native library for iOS and macOS since 4.0.
///
/// The array of a platform is decoded as a whole: one entry that does not decode takes all others
/// with it, whether or not it would ever have been selected.
struct AppleFour {
    private let key: String
    private let release: AppleRelease

    init(_ key: String, _ release: AppleRelease) {
        (self.key, self.release) = (key, release)
    }

    func check(
        _ document: [UInt8],
        _ device: PrinceOfVersionsDevice,
        _ memory: inout PrinceOfVersionsMemory
    ) throws(PrinceOfVersionsFailure) -> PrinceOfVersionsOutcome {
        guard let root = ClientValue(reading: document, as: .foundation)?.object else {
            throw PrinceOfVersionsFailure("invalidJsonData")
        }
        let meta = root["meta"].flatMap(AppleEntry.scalars)
        guard let entries = entries(root[key]) ?? entries(root[key + "2"]) else {
            throw PrinceOfVersionsFailure("dataNotFound")
        }
        let selected = selected(from: entries, on: device)
        guard let validated = validated(selected, from: entries, on: device) else {
            throw PrinceOfVersionsFailure("requirementsNotSatisfied", meta: meta?.shown)
        }
        guard validated.entry.hasVersion else {
            throw PrinceOfVersionsFailure("missingConfigurationVersion")
        }
        guard let installed = device.appleVersion else {
            throw PrinceOfVersionsFailure("invalidCurrentVersion")
        }
        return answer(selected, installed, meta, &memory)
    }

    private func entries(_ value: ClientValue?) -> [AppleEntry]? {
        guard case .array(let values)? = value else { return nil }
        let entries = values.compactMap { AppleEntry($0, release) }
        return entries.count == values.count ? entries : nil
    }

    private typealias Selected = (index: Int, entry: AppleEntry)

    private func selected(
        from entries: [AppleEntry],
        on device: PrinceOfVersionsDevice
    ) -> Selected? {
        entries.enumerated().first { $0.element.isMet(on: device) }.map { ($0.offset, $0.element) }
    }

    /// 4.0.1 looks whether there is an entry before it knows the app's own checkers, and for the
    /// entry that it has found then whether that has a version.
    private func validated(
        _ selected: Selected?,
        from entries: [AppleEntry],
        on device: PrinceOfVersionsDevice
    ) -> Selected? {
        guard release == .release401 else { return selected }
        return self.selected(from: entries, on: device.withoutCheckers)
    }

    private func answer(
        _ selected: Selected?,
        _ installed: AppleClientVersion,
        _ rootMeta: ClientObject?,
        _ memory: inout PrinceOfVersionsMemory
    ) -> PrinceOfVersionsOutcome {
        let entry = selected?.entry
        let meta =
            rootMeta == nil && entry?.meta == nil
            ? nil
            : (rootMeta ?? ClientObject()).overlaid(with: entry?.meta ?? ClientObject())
        return .answered(
            PrinceOfVersionsUpdate(
                status: status(entry, installed, &memory),
                updateVersion: updateVersion(entry, installed).text,
                meta: meta?.shown,
                entry: selected?.index
            )
        )
    }

    private func status(
        _ entry: AppleEntry?,
        _ installed: AppleClientVersion,
        _ memory: inout PrinceOfVersionsMemory
    ) -> PrinceOfVersionsStatus {
        if let required = entry?.required, required > installed { return .requiredUpdateNeeded }
        guard let entry, let last = entry.last, last > installed else { return .noUpdateAvailable }
        guard entry.isAlways || !memory.notified.contains(last.text) else {
            return .noUpdateAvailable
        }
        memory.notified.insert(last.text)
        return .newUpdateAvailable
    }

    /// With both versions the installed one is not looked at, even if it is newer.
    private func updateVersion(
        _ entry: AppleEntry?,
        _ installed: AppleClientVersion
    ) -> AppleClientVersion {
        switch (entry?.required, entry?.last) {
        case (let required?, let last?): max(required, last)
        case (let version?, nil), (nil, let version?): max(version, installed)
        case (nil, nil): installed
        }
    }
}

/// The releases that differ in what they make of a document.
enum AppleRelease: Sendable {
    /// Demands a version of the system in every object of requirements.
    case release400
    /// Passes over the app's own checkers once.
    case release401
    /// Up to 4.0.7.
    case release402
    /// Takes the frequency in any case.
    case release408
}

extension PrinceOfVersionsDevice {
    fileprivate var withoutCheckers: PrinceOfVersionsDevice {
        PrinceOfVersionsDevice(appVersion: appVersion, build: build, os: os)
    }
}

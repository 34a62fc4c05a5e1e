/// The native library for iOS and macOS before 4.0, which reads the object of that time.
struct AppleThree {
    private let key: String

    init(_ key: String) { self.key = key }

    func check(
        _ document: [UInt8],
        _ device: PrinceDevice,
        _ memory: inout PrinceMemory
    ) throws(PrinceFailure) -> PrinceOutcome {
        let root = ClientValue(reading: document, as: .foundation)?.object
        guard
            let root, let told = root[key]?.object, let offered = told["latest_version"]?.object,
            let latest = offered["version"]?.string.flatMap(AppleClientVersion.init)
        else { throw PrinceFailure("invalidJsonData") }
        guard let installed = device.appleVersion else {
            throw PrinceFailure("invalidCurrentVersion")
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
            PrinceAnswer(
                status: status(isNew: isNew, isMinimumSatisfied: isMinimumSatisfied),
                updateVersion: isNew ? latest.text : installed.text,
                meta: root["meta"]?.object?.shown,
                isMinimumSatisfied: isMinimumSatisfied
            )
        )
    }

    /// An update that is not new is not told of as required either: the app has to look at
    /// whether the minimum is satisfied by itself.
    private func status(isNew: Bool, isMinimumSatisfied: Bool) -> PrinceStatus {
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

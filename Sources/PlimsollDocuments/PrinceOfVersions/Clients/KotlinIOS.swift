/// The Kotlin library on iOS.
struct KotlinIOS {
    private static let entries = KotlinEntries(
        keys: ["ios2", "ios"],
        missingKey: "ConfigurationException",
        emptyArray: "ConfigurationException",
        strangeEntry: nil,
        isMet: { requirements, device in
            requirements.withoutNulls.areMet(on: device, system: "required_os_version") { text in
                let (installed, demanded) = (Triple(device.os), Triple(text))
                return !text.trimmedOfBlanks.isEmpty && !installed.precedes(demanded)
            }
        }
    )

    func check(
        _ document: [UInt8],
        _ device: PrinceDevice,
        _ memory: inout PrinceMemory
    ) throws(PrinceFailure) -> PrinceOutcome {
        guard let root = ClientValue(reading: document, as: .foundation)?.object else {
            throw PrinceFailure("ConfigurationException")
        }
        let meta = (root["meta"]?.object ?? ClientObject()).withoutNulls.texts
        let found = try Self.entries.find(in: root, on: device, failingWith: meta) { $0 == "ios" }
        if found.isAlone, found.key == "ios" {
            return try legacy(found.object, device, meta, &memory)
        }
        let isAlways = try found.object.isAlways(orElse: "ConfigurationException")
        let versions = try WrittenVersions(
            required: found.object.text("required_version"),
            last: found.object.text("last_version_available")
        )
        let decision = try decision(versions, device, isAlways: isAlways)
        let own = (found.object["meta"]?.object ?? ClientObject()).withoutNulls.texts
        return try decision.answer(meta.overlaid(with: own).shown, entry: found.index, &memory)
    }

    /// The format before 4.0, of which the versions of the system are not read.
    private func legacy(
        _ object: ClientObject,
        _ device: PrinceDevice,
        _ meta: ClientObject,
        _ memory: inout PrinceMemory
    ) throws(PrinceFailure) -> PrinceOutcome {
        let latest = object["latest_version"]?.object
        let versions = try WrittenVersions(
            required: object.text("minimum_version"),
            last: latest?.text("version")
        )
        let isAlways = latest?.text("notification_type")?.lowercased() == "always"
        return try decision(versions, device, isAlways: isAlways)
            .answer(meta.shown, entry: nil, &memory)
    }

    private func decision(
        _ versions: WrittenVersions,
        _ device: PrinceDevice,
        isAlways: Bool
    ) throws(PrinceFailure) -> RememberedDecision<KotlinAppleVersion> {
        try versions.decision(
            installed: "\(device.appVersion)-\(device.build)",
            isAlways: isAlways,
            read
        )
    }

    private func read(_ text: String) throws(PrinceFailure) -> KotlinAppleVersion {
        do throws(KotlinAppleVersion.Fault) {
            return try KotlinAppleVersion(text)
        } catch {
            switch error {
            case .malformed: throw PrinceFailure("IllegalArgumentException")
            case .tooLarge: throw PrinceFailure("NumberFormatException")
            }
        }
    }
}

/// A version of the system, in which everything that is no number counts as 0.
private struct Triple {
    private let numbers: [Int32]

    init(_ text: String) {
        let parts = text.prefix { $0 != "-" }
            .split(separator: ".", omittingEmptySubsequences: false)
        numbers = (0..<3).map { $0 < parts.count ? Int32(parts[$0]) ?? 0 : 0 }
    }

    func precedes(_ other: Triple) -> Bool { numbers.lexicographicallyPrecedes(other.numbers) }
}

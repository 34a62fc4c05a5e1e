/// What the Kotlin library does on all of its platforms to find an entry.
struct KotlinEntries: Sendable {
    /// The keys to look under; the first that is there at all counts, whatever it holds.
    let keys: [String]
    let missingKey: String
    let emptyArray: String
    /// The error about an entry that is no object; `nil` where it is passed over.
    let strangeEntry: String?
    let isMet: @Sendable (ClientObject, PrinceOfVersionsDevice) -> Bool

    /// What was found: an entry, or the object of the format before 4.0.
    struct Found {
        let key: String
        let index: Int?
        let object: ClientObject
        /// Whether it stood by itself and not in an array.
        let isAlone: Bool
    }

    func find(
        in root: ClientObject,
        on device: PrinceOfVersionsDevice,
        failingWith meta: ClientObject,
        isLegacy: (String) -> Bool = { _ in false }
    ) throws(PrinceOfVersionsFailure) -> Found {
        guard let key = keys.first(where: { root[$0] != nil }), let value = root[key] else {
            throw PrinceOfVersionsFailure(missingKey)
        }
        switch value {
        case .array(let values):
            for (index, value) in values.enumerated() {
                guard let object = value.object else {
                    guard let strangeEntry else { continue }
                    throw PrinceOfVersionsFailure(strangeEntry)
                }
                if isMet(object["requirements"]?.object ?? ClientObject(), device) {
                    return Found(key: key, index: index, object: object, isAlone: false)
                }
            }
            guard !values.isEmpty else { throw PrinceOfVersionsFailure(emptyArray) }
        case .object(let object):
            if isLegacy(key) { return Found(key: key, index: nil, object: object, isAlone: true) }
            if isMet(object["requirements"]?.object ?? ClientObject(), device) {
                return Found(key: key, index: 0, object: object, isAlone: true)
            }
        case .null, .bool, .number, .string:
            throw PrinceOfVersionsFailure("IllegalArgumentException")
        }
        throw PrinceOfVersionsFailure("RequirementsNotSatisfiedException", meta: meta.shown)
    }
}

extension ClientObject {
    /// Whether all requirements are met; that of the system by a rule of its own.
    func areMet(
        on device: PrinceOfVersionsDevice,
        system key: String,
        _ isSystemMet: (String) -> Bool
    ) -> Bool {
        members.allSatisfy { member in
            if member.value.isNull { return false }
            return member.key == key
                ? isSystemMet(member.value.text)
                : device.accepts(member.value.text, of: member.key)
        }
    }

    func isAlways(orElse error: String) throws(PrinceOfVersionsFailure) -> Bool {
        guard let value = self["notify_last_version_frequency"], !value.isNull else { return false }
        guard let written = value.string else { throw PrinceOfVersionsFailure(error) }
        return written.lowercased() == "always"
    }

    var withoutNulls: ClientObject { mapping { $0.isNull ? nil : $0 } }

    /// Every value as text; null stays, or goes with ``withoutNulls`` first.
    var texts: ClientObject { mapping { $0.isNull ? .null : .string($0.text) } }

    /// The text of a member that is there and not null.
    func text(_ key: String) -> String? { self[key].flatMap { $0.isNull ? nil : $0.text } }
}

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
        _ device: PrinceOfVersionsDevice,
        _ memory: inout PrinceOfVersionsMemory
    ) throws(PrinceOfVersionsFailure) -> PrinceOfVersionsOutcome {
        guard let root = ClientValue(reading: document, as: .foundation)?.object else {
            throw PrinceOfVersionsFailure("ConfigurationException")
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
        _ device: PrinceOfVersionsDevice,
        _ meta: ClientObject,
        _ memory: inout PrinceOfVersionsMemory
    ) throws(PrinceOfVersionsFailure) -> PrinceOfVersionsOutcome {
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
        _ device: PrinceOfVersionsDevice,
        isAlways: Bool
    ) throws(PrinceOfVersionsFailure) -> RememberedDecision<KotlinAppleVersion> {
        try versions.decision(
            installed: "\(device.appVersion)-\(device.build)",
            isAlways: isAlways,
            read
        )
    }

    private func read(_ text: String) throws(PrinceOfVersionsFailure) -> KotlinAppleVersion {
        do throws(KotlinAppleVersion.Fault) {
            return try KotlinAppleVersion(text)
        } catch {
            switch error {
            case .malformed: throw PrinceOfVersionsFailure("IllegalArgumentException")
            case .tooLarge: throw PrinceOfVersionsFailure("NumberFormatException")
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

/// The Kotlin library on the JVM.
struct KotlinJVM {
    private static let entries = KotlinEntries(
        keys: ["jvm"],
        missingKey: "IllegalStateException",
        emptyArray: "IllegalArgumentException",
        strangeEntry: "JSONException",
        isMet: { requirements, device in
            requirements.withoutNulls.areMet(on: device, system: "required_jvm_version") { text in
                Int32(text).flatMap { demanded in device.level.map { demanded <= $0 } } ?? false
            }
        }
    )

    func check(
        _ document: [UInt8],
        _ device: PrinceOfVersionsDevice,
        _ memory: inout PrinceOfVersionsMemory
    ) throws(PrinceOfVersionsFailure) -> PrinceOfVersionsOutcome {
        guard let root = ClientValue(reading: document, as: .jvm)?.object else {
            throw PrinceOfVersionsFailure("JSONException")
        }
        let meta = (root["meta"]?.object ?? ClientObject()).withoutNulls.texts
        let found = try Self.entries.find(in: root, on: device, failingWith: meta)
        let isAlways = try found.object.isAlways(orElse: "IllegalArgumentException")
        let versions = try WrittenVersions(
            required: found.object.text("required_version"),
            last: found.object.text("last_version_available")
        )
        let decision = try versions.decision(
            installed: device.appVersion,
            isAlways: isAlways,
            read
        )
        let own = (found.object["meta"]?.object ?? ClientObject()).withoutNulls.texts
        return try decision.answer(meta.overlaid(with: own).shown, entry: found.index, &memory)
    }

    private func read(_ text: String) throws(PrinceOfVersionsFailure) -> KotlinDottedVersion {
        guard let version = KotlinDottedVersion(text) else {
            throw PrinceOfVersionsFailure("IllegalArgumentException")
        }
        return version
    }
}

import PlimsollJSON

/// The native library for Android before 4.0, which reads the object of that time.
struct AndroidThree {
    func check(
        _ document: [UInt8],
        _ device: PrinceOfVersionsDevice,
        _ memory: inout PrinceOfVersionsMemory
    ) throws(PrinceOfVersionsFailure) -> PrinceOfVersionsOutcome {
        guard let root = ClientValue(reading: document, as: .android)?.object else {
            throw PrinceOfVersionsFailure("JSONException")
        }
        guard let value = root["android"] else {
            throw PrinceOfVersionsFailure("IllegalStateException")
        }
        guard let android = value.object else { throw PrinceOfVersionsFailure("JSONException") }
        let minimum = text(android["minimum_version"])
        let minimumLevel = try level(android["minimum_version_min_sdk"])
        let offered = try object(android["latest_version"])
        let latest = text(offered["version"])
        let latestLevel = try level(offered["min_sdk"])
        let installed = try version(device.appVersion)
        guard minimum != nil || latest != nil else {
            throw PrinceOfVersionsFailure("IllegalStateException")
        }
        let required = try minimum.map { text throws(PrinceOfVersionsFailure) in try version(text) }
        let last = try latest.map { text throws(PrinceOfVersionsFailure) in try version(text) }
        let decision = RememberedDecision(
            required: isReached(minimumLevel, device) ? required : nil,
            last: isReached(latestLevel, device) ? last : nil,
            installed: installed,
            isAlways: offered["notification_type"]?.text.lowercased() == "always"
        )
        let meta = (root["meta"]?.object ?? ClientObject()).mapping { $0.string == nil ? nil : $0 }
        return try answer(decision, meta.shown, &memory)
    }

    /// Versions that the device's system rules out are no versions, but not an error either.
    private func answer(
        _ decision: RememberedDecision<SemanticVersion>,
        _ meta: JSONObject,
        _ memory: inout PrinceOfVersionsMemory
    ) throws(PrinceOfVersionsFailure) -> PrinceOfVersionsOutcome {
        guard decision.required == nil, decision.last == nil else {
            return try decision.answer(meta, entry: nil, &memory)
        }
        return .answered(
            PrinceOfVersionsUpdate(
                status: .noUpdateAvailable,
                updateVersion: decision.installed.text,
                meta: meta
            )
        )
    }

    private func object(_ value: ClientValue?) throws(PrinceOfVersionsFailure) -> ClientObject {
        guard let value else { return ClientObject() }
        guard let object = value.object else { throw PrinceOfVersionsFailure("JSONException") }
        return object
    }

    /// Anything can be text; what is blank or says null counts as missing.
    private func text(_ value: ClientValue?) -> String? {
        guard let text = value?.text else { return nil }
        let trimmed = text.trimmedOfBlanks.lowercased()
        return trimmed.isEmpty || trimmed == "null" ? nil : text
    }

    private func version(
        _ text: String
    ) throws(PrinceOfVersionsFailure) -> WrittenVersion<SemanticVersion> {
        guard let version = SemanticVersion(text) else {
            throw PrinceOfVersionsFailure("ParseException")
        }
        return WrittenVersion(text: text, value: version)
    }

    private func level(_ value: ClientValue?) throws(PrinceOfVersionsFailure) -> Int32? {
        guard let value else { return nil }
        guard let level = value.level else { throw PrinceOfVersionsFailure("JSONException") }
        return level
    }

    /// A version whose level is 0 or below is dropped as if no device reached it.
    private func isReached(_ demanded: Int32?, _ device: PrinceOfVersionsDevice) -> Bool {
        guard let demanded else { return true }
        guard demanded > 0 else { return false }
        return device.level.map { $0 >= demanded } ?? false
    }
}

extension ClientValue {
    /// A whole number as `getInt` finds one in numbers and in texts, cutting off fractions.
    fileprivate var level: Int32? {
        switch self {
        case .number(let text), .string(let text):
            Double(decimal: text).flatMap { Int32(exactly: $0.rounded(.towardZero)) }
        case .null, .bool, .array, .object: nil
        }
    }
}

/// The native library for Android since 4.0.
///
/// It reads entries one by one up to the first whose requirements are met, and of that one the
/// versions; what is wrong with others is never seen.
struct AndroidFour {
    func check(
        _ document: [UInt8],
        _ device: PrinceOfVersionsDevice,
        _ memory: inout PrinceOfVersionsMemory
    ) throws(PrinceOfVersionsFailure) -> PrinceOfVersionsOutcome {
        guard let root = ClientValue(reading: document, as: .android)?.object else {
            throw PrinceOfVersionsFailure("JSONException")
        }
        let meta = (root["meta"]?.object ?? ClientObject()).texts
        let values = [root["android2"], root["android"]]
        guard let value = values.lazy.compactMap({ $0 }).first(where: { !$0.isNull }) else {
            throw PrinceOfVersionsFailure("IllegalStateException")
        }
        let (index, entry) = try select(from: value, device, meta)
        // What is neither array nor object has no versions, and is not refused for anything else.
        let decision = RememberedDecision(
            required: try version(entry["required_version"]),
            last: try version(entry["last_version_available"]),
            installed: WrittenVersion(
                text: device.appVersion,
                value: Int32(device.appVersion) ?? 0
            ),
            isAlways: try entry.isAlways(orElse: "IllegalArgumentException")
        )
        let own = (entry["meta"]?.object ?? ClientObject()).texts
        return try decision.answer(meta.overlaid(with: own).shown, entry: index, &memory)
    }

    private func select(
        from value: ClientValue,
        _ device: PrinceOfVersionsDevice,
        _ meta: ClientObject
    ) throws(PrinceOfVersionsFailure) -> (Int?, ClientObject) {
        switch value {
        case .array(let entries):
            guard !entries.isEmpty else {
                throw PrinceOfVersionsFailure("IllegalArgumentException")
            }
            for (index, entry) in entries.enumerated() {
                guard let entry = entry.object else {
                    throw PrinceOfVersionsFailure("JSONException")
                }
                if isMet(entry["requirements"]?.object, device) { return (index, entry) }
            }
        case .object(let entry):
            if isMet(entry["requirements"]?.object, device) { return (0, entry) }
        case .null, .bool, .number, .string: return (nil, ClientObject())
        }
        throw PrinceOfVersionsFailure("RequirementsNotSatisfiedException", meta: meta.shown)
    }

    private func isMet(_ requirements: ClientObject?, _ device: PrinceOfVersionsDevice) -> Bool {
        (requirements?.members ?? []).allSatisfy { member in
            if member.value.isNull { return true }
            guard member.key == "required_os_version" else {
                return device.accepts(member.value.text, of: member.key)
            }
            guard let level = device.level, let demanded = Int32(member.value.text) else {
                return false
            }
            return demanded <= level
        }
    }

    private func version(
        _ value: ClientValue?
    ) throws(PrinceOfVersionsFailure) -> WrittenVersion<Int32>? {
        guard let value, !value.isNull else { return nil }
        guard let number = value.whole.flatMap(Int32.init(exactly:)) else {
            throw PrinceOfVersionsFailure("IllegalArgumentException")
        }
        return WrittenVersion(text: String(number), value: number)
    }
}

/// The Kotlin library on Android.
struct KotlinAndroid {
    private static let entries = KotlinEntries(
        keys: ["android2", "android"],
        missingKey: "IllegalStateException",
        emptyArray: "IllegalArgumentException",
        strangeEntry: "JSONException",
        isMet: { requirements, device in
            requirements.areMet(on: device, system: "required_os_version") { text in
                Int32(text).flatMap { demanded in device.level.map { demanded <= $0 } } ?? false
            }
        }
    )

    func check(
        _ document: [UInt8],
        _ device: PrinceOfVersionsDevice,
        _ memory: inout PrinceOfVersionsMemory
    ) throws(PrinceOfVersionsFailure) -> PrinceOfVersionsOutcome {
        guard let root = ClientValue(reading: document, as: .android)?.object else {
            throw PrinceOfVersionsFailure("JSONException")
        }
        let meta = (root["meta"]?.object ?? ClientObject()).texts
        let found = try Self.entries.find(in: root, on: device, failingWith: meta)
        let decision = RememberedDecision(
            required: try version(found.object["required_version"]),
            last: try version(found.object["last_version_available"]),
            installed: WrittenVersion(
                text: device.appVersion,
                value: Int64(device.appVersion) ?? 0
            ),
            isAlways: try found.object.isAlways(orElse: "IllegalArgumentException")
        )
        let own = (found.object["meta"]?.object ?? ClientObject()).texts
        return try decision.answer(meta.overlaid(with: own).shown, entry: found.index, &memory)
    }

    /// Numbers and texts that hold one, without their fractions.
    private func version(
        _ value: ClientValue?
    ) throws(PrinceOfVersionsFailure) -> WrittenVersion<Int64>? {
        let number: Int64?
        switch value {
        case nil, .null: return nil
        case .number(let text), .string(let text):
            number =
                Int64(text)
                ?? Double(decimal: text).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
        case .bool, .array, .object: number = nil
        }
        guard let number else { throw PrinceOfVersionsFailure("IllegalArgumentException") }
        return WrittenVersion(text: String(number), value: number)
    }
}

import PlimsollJSON

/// The native library for Android before 4.0, which reads the object of that time.
struct AndroidThree {
    func check(
        _ document: [UInt8],
        _ device: PrinceDevice,
        _ memory: inout PrinceMemory
    ) throws(PrinceFailure) -> PrinceOutcome {
        guard let root = ClientValue(reading: document, as: .android)?.object else {
            throw PrinceFailure("JSONException")
        }
        guard let value = root["android"] else { throw PrinceFailure("IllegalStateException") }
        guard let android = value.object else { throw PrinceFailure("JSONException") }
        let minimum = text(android["minimum_version"])
        let minimumLevel = try level(android["minimum_version_min_sdk"])
        let offered = try object(android["latest_version"])
        let latest = text(offered["version"])
        let latestLevel = try level(offered["min_sdk"])
        let installed = try version(device.appVersion)
        guard minimum != nil || latest != nil else { throw PrinceFailure("IllegalStateException") }
        let required = try minimum.map { text throws(PrinceFailure) in try version(text) }
        let last = try latest.map { text throws(PrinceFailure) in try version(text) }
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
        _ memory: inout PrinceMemory
    ) throws(PrinceFailure) -> PrinceOutcome {
        guard decision.required == nil, decision.last == nil else {
            return try decision.answer(meta, entry: nil, &memory)
        }
        return .answered(
            PrinceAnswer(
                status: .noUpdateAvailable,
                updateVersion: decision.installed.text,
                meta: meta
            )
        )
    }

    private func object(_ value: ClientValue?) throws(PrinceFailure) -> ClientObject {
        guard let value else { return ClientObject() }
        guard let object = value.object else { throw PrinceFailure("JSONException") }
        return object
    }

    /// Anything can be text; what is blank or says null counts as missing.
    private func text(_ value: ClientValue?) -> String? {
        guard let text = value?.text else { return nil }
        let trimmed = text.trimmedOfBlanks.lowercased()
        return trimmed.isEmpty || trimmed == "null" ? nil : text
    }

    private func version(_ text: String) throws(PrinceFailure) -> WrittenVersion<SemanticVersion> {
        guard let version = SemanticVersion(text) else { throw PrinceFailure("ParseException") }
        return WrittenVersion(text: text, value: version)
    }

    private func level(_ value: ClientValue?) throws(PrinceFailure) -> Int32? {
        guard let value else { return nil }
        guard let level = value.level else { throw PrinceFailure("JSONException") }
        return level
    }

    /// A version whose level is 0 or below is dropped as if no device reached it.
    private func isReached(_ demanded: Int32?, _ device: PrinceDevice) -> Bool {
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

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
        _ device: PrinceDevice,
        _ memory: inout PrinceMemory
    ) throws(PrinceFailure) -> PrinceOutcome {
        guard let root = ClientValue(reading: document, as: .android)?.object else {
            throw PrinceFailure("JSONException")
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
    ) throws(PrinceFailure) -> WrittenVersion<Int64>? {
        let number: Int64?
        switch value {
        case nil, .null: return nil
        case .number(let text), .string(let text):
            number =
                Int64(text)
                ?? Double(decimal: text).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
        case .bool, .array, .object: number = nil
        }
        guard let number else { throw PrinceFailure("IllegalArgumentException") }
        return WrittenVersion(text: String(number), value: number)
    }
}

/// The native library for Android since 4.0.
///
/// It reads entries one by one up to the first whose requirements are met, and of that one the
/// versions; what is wrong with others is never seen.
struct AndroidFour {
    func check(
        _ document: [UInt8],
        _ device: PrinceDevice,
        _ memory: inout PrinceMemory
    ) throws(PrinceFailure) -> PrinceOutcome {
        guard let root = ClientValue(reading: document, as: .android)?.object else {
            throw PrinceFailure("JSONException")
        }
        let meta = (root["meta"]?.object ?? ClientObject()).texts
        let values = [root["android2"], root["android"]]
        guard let value = values.lazy.compactMap({ $0 }).first(where: { !$0.isNull }) else {
            throw PrinceFailure("IllegalStateException")
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
            isAlways: try isAlways(entry["notify_last_version_frequency"])
        )
        let own = (entry["meta"]?.object ?? ClientObject()).texts
        return try decision.answer(meta.overlaid(with: own).shown, entry: index, &memory)
    }

    private func select(
        from value: ClientValue,
        _ device: PrinceDevice,
        _ meta: ClientObject
    ) throws(PrinceFailure) -> (Int?, ClientObject) {
        switch value {
        case .array(let entries):
            guard !entries.isEmpty else { throw PrinceFailure("IllegalArgumentException") }
            for (index, entry) in entries.enumerated() {
                guard let entry = entry.object else { throw PrinceFailure("JSONException") }
                if isMet(entry["requirements"]?.object, device) { return (index, entry) }
            }
        case .object(let entry):
            if isMet(entry["requirements"]?.object, device) { return (0, entry) }
        case .null, .bool, .number, .string: return (nil, ClientObject())
        }
        throw PrinceFailure("RequirementsNotSatisfiedException", meta: meta.shown)
    }

    private func isMet(_ requirements: ClientObject?, _ device: PrinceDevice) -> Bool {
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
    ) throws(PrinceFailure) -> WrittenVersion<Int32>? {
        guard let value, !value.isNull else { return nil }
        guard let number = value.whole.flatMap(Int32.init(exactly:)) else {
            throw PrinceFailure("IllegalArgumentException")
        }
        return WrittenVersion(text: String(number), value: number)
    }

    private func isAlways(_ value: ClientValue?) throws(PrinceFailure) -> Bool {
        guard let value, !value.isNull else { return false }
        guard let written = value.string else { throw PrinceFailure("IllegalArgumentException") }
        return written.lowercased() == "always"
    }
}

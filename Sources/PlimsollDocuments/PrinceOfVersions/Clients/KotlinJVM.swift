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
        _ device: PrinceDevice,
        _ memory: inout PrinceMemory
    ) throws(PrinceFailure) -> PrinceOutcome {
        guard let root = ClientValue(reading: document, as: .jvm)?.object else {
            throw PrinceFailure("JSONException")
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

    private func read(_ text: String) throws(PrinceFailure) -> KotlinDottedVersion {
        guard let version = KotlinDottedVersion(text) else {
            throw PrinceFailure("IllegalArgumentException")
        }
        return version
    }
}

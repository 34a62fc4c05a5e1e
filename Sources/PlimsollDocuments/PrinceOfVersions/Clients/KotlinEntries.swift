/// What the Kotlin library does on all of its platforms to find an entry.
struct KotlinEntries: Sendable {
    /// The keys to look under; the first that is there at all counts, whatever it holds.
    let keys: [String]
    let missingKey: String
    let emptyArray: String
    /// The error about an entry that is no object; `nil` where it is passed over.
    let strangeEntry: String?
    let isMet: @Sendable (ClientObject, PrinceDevice) -> Bool

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
        on device: PrinceDevice,
        failingWith meta: ClientObject,
        isLegacy: (String) -> Bool = { _ in false }
    ) throws(PrinceFailure) -> Found {
        guard let key = keys.first(where: { root[$0] != nil }), let value = root[key] else {
            throw PrinceFailure(missingKey)
        }
        switch value {
        case .array(let values):
            for (index, value) in values.enumerated() {
                guard let object = value.object else {
                    guard let strangeEntry else { continue }
                    throw PrinceFailure(strangeEntry)
                }
                if isMet(object["requirements"]?.object ?? ClientObject(), device) {
                    return Found(key: key, index: index, object: object, isAlone: false)
                }
            }
            guard !values.isEmpty else { throw PrinceFailure(emptyArray) }
        case .object(let object):
            if isLegacy(key) { return Found(key: key, index: nil, object: object, isAlone: true) }
            if isMet(object["requirements"]?.object ?? ClientObject(), device) {
                return Found(key: key, index: 0, object: object, isAlone: true)
            }
        case .null, .bool, .number, .string: throw PrinceFailure("IllegalArgumentException")
        }
        throw PrinceFailure("RequirementsNotSatisfiedException", meta: meta.shown)
    }
}

extension ClientObject {
    /// Whether all requirements are met; that of the system by a rule of its own.
    func areMet(
        on device: PrinceDevice,
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

    func isAlways(orElse error: String) throws(PrinceFailure) -> Bool {
        guard let value = self["notify_last_version_frequency"], !value.isNull else { return false }
        guard let written = value.string else { throw PrinceFailure(error) }
        return written.lowercased() == "always"
    }

    var withoutNulls: ClientObject { mapping { $0.isNull ? nil : $0 } }

    /// Every value as text; null stays, or goes with ``withoutNulls`` first.
    var texts: ClientObject { mapping { $0.isNull ? .null : .string($0.text) } }

    /// The text of a member that is there and not null.
    func text(_ key: String) -> String? { self[key].flatMap { $0.isNull ? nil : $0.text } }
}

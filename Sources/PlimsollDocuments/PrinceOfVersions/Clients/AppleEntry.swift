/// One entry of an array as the native library for Apple's platforms decodes it.
struct AppleEntry: Equatable, Sendable {
    let required: AppleClientVersion?
    let last: AppleClientVersion?
    let isAlways: Bool
    let meta: ClientObject?
    private let requirements: AppleRequirements?

    private struct Undecodable: Error {}

    /// `nil` where decoding fails, and with it that of the array.
    init?(_ value: ClientValue, _ release: AppleRelease) {
        guard let object = value.object?.camelCased else { return nil }
        do throws(Undecodable) {
            let version = { (value: ClientValue) in value.string.flatMap(AppleClientVersion.init) }
            required = try Self.optional(object["requiredVersion"], version)
            last = try Self.optional(object["lastVersionAvailable"], version)
            isAlways =
                try Self.optional(object["notifyLastVersionFrequency"]) {
                    Self.isAlways($0, release)
                } ?? false
            requirements = try Self.optional(object["requirements"]) {
                AppleRequirements($0, release)
            }
            // Only the names of properties are converted, not those of a dictionary.
            meta = try Self.optional(value.object?["meta"], Self.scalars)
        } catch {
            return nil
        }
    }

    var hasVersion: Bool { required != nil || last != nil }

    func isMet(on device: PrinceOfVersionsDevice) -> Bool {
        requirements?.areMet(on: device) ?? true
    }

    /// Metadata as the library takes it: without anything nested, or not at all.
    static func scalars(_ value: ClientValue) -> ClientObject? {
        guard let object = value.object else { return nil }
        return object.members.contains(where: \.value.isNested) ? nil : object
    }

    private static func optional<Value>(
        _ value: ClientValue?,
        _ decode: (ClientValue) -> Value?
    ) throws(Undecodable) -> Value? {
        guard let value, !value.isNull else { return nil }
        guard let decoded = decode(value) else { throw Undecodable() }
        return decoded
    }

    private static func isAlways(_ value: ClientValue, _ release: AppleRelease) -> Bool? {
        guard let written = value.string else { return nil }
        switch release == .release408 ? written.uppercased() : written {
        case "ALWAYS": return true
        case "ONCE": return false
        default: return nil
        }
    }
}

/// What an entry demands of the device.
private struct AppleRequirements: Equatable, Sendable {
    private static let osKey = "requiredOsVersion"

    private let os: AppleClientVersion?
    private let custom: ClientObject

    init?(_ value: ClientValue, _ release: AppleRelease) {
        guard let object = value.object?.camelCased else { return nil }
        // What is no version is no demand, other than in the very first release.
        os = object[Self.osKey]?.string.flatMap(AppleClientVersion.init)
        if release == .release400, os == nil { return nil }
        var custom = ClientObject()
        for member in object.members where member.key != Self.osKey && !member.value.isNested {
            custom.set(member.key, member.value)
        }
        self.custom = custom
    }

    func areMet(on device: PrinceOfVersionsDevice) -> Bool {
        let system = AppleClientVersion(device.os)
        let isOSMet = os.flatMap { os in system.map { $0 >= os } } ?? true
        return isOSMet
            && custom.members.allSatisfy { member in
                !member.value.isNull && device.accepts(member.value.text, of: member.key)
            }
    }
}

extension ClientObject {
    /// The members under the names that the decoder looks for; the first where two become one.
    fileprivate var camelCased: ClientObject {
        var object = ClientObject()
        for member in members {
            let key = member.key.camelCased
            if object[key] == nil { object.set(key, member.value) }
        }
        return object
    }
}

extension String {
    /// As Foundation's decoder converts from snake case: `required_os_version` becomes
    /// `requiredOsVersion`; what has no underscore inside is left as it is.
    var camelCased: String {
        let lead = prefix { $0 == "_" }
        let tail = dropFirst(lead.count).reversed().prefix { $0 == "_" }
        let words = dropFirst(lead.count).dropLast(tail.count).split(separator: "_")
        guard words.count > 1 else { return self }
        let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
        return lead + words[0].lowercased() + rest.joined() + String(tail)
    }
}

import Foundation

extension AvailabilityDocument {
    /// Reads a document whose signature was checked; members that nobody knows are kept, and
    /// count for nothing.
    init(parsing body: Data) throws(AvailabilityError) {
        let members: JSONObject
        do throws(JSONFault) {
            members = try JSONReader.object(in: body)
        } catch {
            throw .malformed(error.description)
        }
        let stamp = try DocumentStamp(reading: members)
        var thresholds: [ThresholdName: Threshold] = [:]
        for name in stamp.platform.thresholds {
            let key = name.member(on: stamp.platform)
            switch members[key] {
            case nil: break
            case .object(let object):
                thresholds[name] = try Threshold(reading: object, at: key, on: stamp.platform)
            default: throw .malformed("“\(key)” is not an object.")
            }
        }
        self.init(stamp: stamp, thresholds: thresholds, members: members)
    }
}

extension Threshold {
    /// The value 0 is how a document writes that nothing is set.
    fileprivate init(
        reading object: JSONObject,
        at key: String,
        on platform: Platform
    ) throws(AvailabilityError) {
        switch (object["value"], platform) {
        case (nil, _), (.integer(0), .android): value = nil
        case (.integer(let number), .android):
            guard let version = Version(code: Int(clamping: number)) else {
                throw .malformed("“\(key).value” is no version code: \(number).")
            }
            value = version
        case (.string(let text), .ios), (.string(let text), .macos):
            guard let version = Version(text) else {
                throw .malformed("“\(key).value” is no version: \(text.prefix(40)).")
            }
            value = version
        default:
            let needed = platform == .android ? "a whole number" : "a string"
            throw .malformed("“\(key).value” is not \(needed).")
        }
        titles = try Self.texts(object, "title", at: key)
        descriptions = try Self.texts(object, "description", at: key)
    }

    private static func texts(
        _ object: JSONObject,
        _ part: String,
        at key: String
    ) throws(AvailabilityError) -> [String: String] {
        switch object[part] {
        case nil: return [:]
        case .object(let texts):
            var read: [String: String] = [:]
            for member in texts.members {
                guard case .string(let text) = member.value else {
                    throw .malformed("“\(key).\(part).\(member.key)” is not a string.")
                }
                read[member.key] = text
            }
            return read
        default: throw .malformed("“\(key).\(part)” is not an object.")
        }
    }
}

extension DocumentStamp {
    fileprivate init(reading members: JSONObject) throws(AvailabilityError) {
        guard case .object(let stamp)? = members["plimsoll"] else {
            throw .malformed("The member “plimsoll”, which says where it belongs, is missing.")
        }
        guard
            case .string(let app)? = stamp["app"],
            case .string(let platform)? = stamp["platform"],
            case .integer(let sequence)? = stamp["sequence"], sequence > 0,
            case .integer(let position)? = stamp["position"],
            case .string(let issued)? = stamp["issuedAt"],
            case .string(let expires)? = stamp["expiresAt"],
            let issuedAt = Date(rfc3339: issued), let expiresAt = Date(rfc3339: expires)
        else { throw .malformed("A part of “plimsoll” is missing or of another form.") }
        guard let platform = Platform(rawValue: platform) else {
            throw AvailabilityError(
                .anotherPlatform,
                "The document is for \(platform.prefix(40)), which this client does not know."
            )
        }
        self.init(
            app: app,
            platform: platform,
            sequence: sequence,
            position: position,
            issuedAt: issuedAt,
            expiresAt: expiresAt
        )
    }
}

package import PlimsollJSON

/// A document with the commas too many that clients forgive, and without what is not kept.
///
/// Fractions are kept nowhere in this service; those in metadata are left out, and everywhere else
/// refused, since without them a requirement would be met by everybody.
package struct LenientDocument {
    package let members: JSONObject
    /// What could not be taken over, as sentences.
    let losses: [String]

    package init(_ bytes: [UInt8], limits: JSONLimits) throws(JSONIssues) {
        do throws(JSONIssues) {
            members = try ObjectReader(parsing: bytes, limits: limits).object
            losses = []
        } catch {
            guard bytes.count <= limits.sizeMaximum,
                let root = ClientValue(reading: bytes, as: .importing)?.object
            else { throw error }
            var losses: [String] = []
            guard let members = root.kept(under: "", isMetadata: false, &losses) else {
                throw error
            }
            if losses.isEmpty {
                losses.append("a comma too many: it is no JSON, though clients mostly read it")
            }
            (self.members, self.losses) = (members, losses)
        }
    }
}

extension ClientDialect {
    /// What every client reads alike, but for a comma before a closing bracket.
    fileprivate static let importing = ClientDialect(
        duplicates: .refused,
        commaInArray: .nothing,
        commaInObject: .nothing,
        forgivesByteOrderMark: true,
        forgivesRest: false,
        forgivesEncoding: false
    )
}

extension ClientObject {
    /// `nil` where a fraction stands that cannot be left out.
    fileprivate func kept(
        under path: String,
        isMetadata: Bool,
        _ losses: inout [String]
    ) -> JSONObject? {
        var object = JSONObject()
        for member in members {
            let place = path.isEmpty ? member.key : "\(path).\(member.key)"
            let isHandedOn = isMetadata || member.key == "meta"
            guard let value = member.value.kept(under: place, isMetadata: isHandedOn, &losses)
            else {
                guard isHandedOn else { return nil }
                losses.append("\(place): a number with a fraction is not kept")
                continue
            }
            object[member.key] = value
        }
        return object
    }
}

extension ClientValue {
    fileprivate func kept(
        under path: String,
        isMetadata: Bool,
        _ losses: inout [String]
    ) -> JSONValue? {
        switch self {
        case .null: return .null
        case .bool(let flag): return .bool(flag)
        case .number: return whole.map(JSONValue.integer)
        case .string(let text): return .string(text)
        case .array(let values):
            var list: [JSONValue] = []
            for value in values {
                guard let kept = value.kept(under: path, isMetadata: isMetadata, &losses) else {
                    return nil
                }
                list.append(kept)
            }
            return .array(list)
        case .object(let object):
            return object.kept(under: path, isMetadata: isMetadata, &losses).map(JSONValue.object)
        }
    }
}

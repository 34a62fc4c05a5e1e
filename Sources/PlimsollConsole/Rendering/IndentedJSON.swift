import PlimsollJSON

extension JSONValue {
    /// Whatever is shorter stays on one line.
    private static let lineLength = 60

    /// As people edit it.
    func indented(by depth: Int = 0) -> String {
        let line = String(decoding: canonicalBytes(), as: UTF8.self)
        guard line.utf8.count > Self.lineLength else { return line }
        switch self {
        case .object(let object):
            let members = object.members.map { member in
                "\(JSONValue.string(member.key).indented()): \(member.value.indented(by: depth + 1))"
            }
            return block("{", members, "}", depth)
        case .array(let values):
            return block("[", values.map { $0.indented(by: depth + 1) }, "]", depth)
        case .null, .bool, .integer, .string: return line
        }
    }

    private func block(_ begin: String, _ lines: [String], _ end: String, _ depth: Int) -> String {
        let margin = String(repeating: "  ", count: depth)
        let body = lines.map { "\(margin)  \($0)" }.joined(separator: ",\n")
        return "\(begin)\n\(body)\n\(margin)\(end)"
    }
}

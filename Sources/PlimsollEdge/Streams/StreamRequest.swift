import NIOHPACK

/// A request of HTTP/2, written as HTTP/1.1 would have it.
///
/// So one parser judges both, and nothing is answered in one of them that is refused in the other.
enum StreamRequest {
    /// Nil where a part could not stand in the bytes as what it is: a line break in it would
    /// begin another field, a blank another part of the line.
    static func bytes(of fields: HPACKHeaders) -> [UInt8]? {
        guard
            let method = fields.first(name: ":method"), !method.isEmpty,
            method.utf8.allSatisfy(ByteClass.token.contains),
            let target = target(of: fields),
            target.utf8.allSatisfy(ByteClass.target.contains)
        else { return nil }
        var bytes = Array("\(method) \(target) HTTP/1.1\r\n".utf8)
        let authority = fields.first(name: ":authority")
        if let authority {
            guard append("host", authority, to: &bytes) else { return nil }
        }
        for (name, value, _) in fields where !name.hasPrefix(":") {
            if name == "host", value == authority { continue }
            guard append(name, value, to: &bytes) else { return nil }
        }
        return bytes + Array("\r\n".utf8)
    }

    /// What would stand in the request line; only `OPTIONS` and `CONNECT` ask for no path.
    private static func target(of fields: HPACKHeaders) -> String? {
        guard let path = fields.first(name: ":path") else {
            return fields.first(name: ":method") == "CONNECT"
                ? fields.first(name: ":authority") : nil
        }
        return path.hasPrefix("/") || path == "*" ? path : nil
    }

    private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) -> Bool {
        guard
            !name.isEmpty, name.utf8.allSatisfy(ByteClass.token.contains),
            value.utf8.allSatisfy(\.isFieldContent)
        else { return false }
        bytes += name.utf8
        bytes += [.colon, .space]
        bytes += value.utf8
        bytes += [.carriageReturn, .lineFeed]
        return true
    }
}

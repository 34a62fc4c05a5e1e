/// Where events are sent to, as it is written.
///
/// The grammar is narrow: whatever reads it later reads the same host in it, and the address that
/// was looked at is the one that is connected to.
package struct WebhookURL: Codable, TextName {
    package let text: String
    package let isEncrypted: Bool
    /// Without brackets.
    package let host: String
    package let port: Int
    /// The address that the host is, where it is no name.
    package let address: IPAddress?

    package static let bytesMaximum = 2000

    package static let grammar =
        "an address such as https://hooks.example.com/plimsoll, with its host in small letters and"
        + " without user, password and fragment"

    package init?(_ text: String) {
        let isEncrypted = text.hasPrefix("https://")
        guard isEncrypted || text.hasPrefix("http://"), text.utf8.count <= Self.bytesMaximum else {
            return nil
        }
        let rest = text.dropFirst(isEncrypted ? 8 : 7)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" && $0 != "\\" }
        let path = rest[authority.endIndex...]
        guard path.isEmpty || path.hasPrefix("/"), isPath(path),
            let place = Place(authority, portUsual: isEncrypted ? 443 : 80)
        else { return nil }
        self.text = text
        self.isEncrypted = isEncrypted
        (host, port, address) = (place.host, place.port, place.address)
    }
}

/// The part of an address that says which machine.
private struct Place {
    let host: String
    let port: Int
    let address: IPAddress?

    init?(_ authority: Substring, portUsual: Int) {
        var host = authority
        var portText: Substring?
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<end]
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            portText = rest.isEmpty ? nil : rest.dropFirst()
            guard host.contains(":") else { return nil }
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            portText = authority[authority.index(after: colon)...]
        }
        guard let port = portText.map(portNumber) ?? portUsual else { return nil }
        self.port = port
        self.host = String(host)
        address = IPAddress(self.host)
        guard address != nil || isName(host) else { return nil }
    }
}

private func portNumber(_ text: Substring) -> Int? {
    guard let port = UInt16(text), port > 0, String(port) == text else { return nil }
    return Int(port)
}

/// A name of labels, of which the last is no number: resolvers take `127.1` and `0x7f.1` for
/// addresses.
private func isName(_ host: Substring) -> Bool {
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard host.utf8.count <= 253, let last = labels.last, let first = last.utf8.first,
        !isDigit(first)
    else { return false }
    return labels.allSatisfy { label in
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
            && label.utf8.allSatisfy { isLowercaseLetter($0) || isDigit($0) || $0 == 0x2D }
    }
}

/// What RFC 3986 lets stand in a path and a query, each percent sign with its two digits.
private func isPath(_ path: Substring) -> Bool {
    let bytes = Array(path.utf8)
    for (index, byte) in bytes.enumerated() {
        if byte == 0x25 {
            guard index + 2 < bytes.count,
                bytes[(index + 1)...(index + 2)].allSatisfy(isAnyHexDigit)
            else { return false }
        }
        guard isPathByte(byte) else { return false }
    }
    return true
}

private let marks = Set("-._~!$&'()*+,;=:@/?%".utf8)

private func isPathByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || marks.contains(byte)
}

import Foundation

/// Where a service is: a web address that paths are put behind.
package struct ServiceAddress: Equatable, Sendable {
    /// Without a slash at its end.
    package let text: String

    package static let grammar =
        "an address such as http://127.0.0.1:8080, without user, query or fragment"

    package init?(_ text: String) {
        guard
            let parts = URLComponents(string: text),
            let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil,
            parts.query == nil, parts.fragment == nil
        else { return nil }
        var text = text
        while text.hasSuffix("/") { text.removeLast() }
        self.text = text
    }

    /// The address of a path, with a query where there is one.
    package func url(_ path: String, _ query: [(name: String, value: String)] = []) -> String {
        query.isEmpty ? text + path : "\(text)\(path)?\(Self.query(query))"
    }

    /// A query as it stands behind the question mark: only what needs no percent sign has none.
    package static func query(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
    }

    /// Everything but the unreserved characters of RFC 3986, 2.3, as percent signs and digits.
    package static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }
}

extension ServiceAddress: CustomStringConvertible {
    package var description: String { text }
}

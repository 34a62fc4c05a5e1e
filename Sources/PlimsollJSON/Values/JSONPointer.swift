/// Where in a document something stands, as RFC 6901 writes it: `/operations/3/value`.
package struct JSONPointer: Hashable, Sendable {
    package let text: String

    private init(text: String) {
        self.text = text
    }

    /// The whole document.
    package static let root = JSONPointer(text: "")

    package func appending(_ key: String) -> JSONPointer {
        JSONPointer(text: text + JSONPointer.step(key))
    }

    package func appending(_ index: Int) -> JSONPointer {
        JSONPointer(text: "\(text)/\(index)")
    }

    /// The same place, told from outside the object that is this member.
    func inside(_ key: String) -> JSONPointer {
        JSONPointer(text: JSONPointer.step(key) + text)
    }

    func inside(_ index: Int) -> JSONPointer {
        JSONPointer(text: "/\(index)\(text)")
    }

    private static func step(_ key: String) -> String {
        var step = "/"
        for scalar in key.unicodeScalars {
            switch scalar {
            case "~": step += "~0"
            case "/": step += "~1"
            default: step.unicodeScalars.append(scalar)
            }
        }
        return step
    }
}

extension JSONPointer: CustomStringConvertible {
    package var description: String { text }
}

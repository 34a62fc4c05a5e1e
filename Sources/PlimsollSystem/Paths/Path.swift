/// Where a file or folder lies.
///
/// A path is text and nothing else: making one touches no disk. What can be done at the place
/// it names are its methods, grouped in the files beside this one. It never holds a zero byte,
/// since the system would silently take the part before it.
///
/// ```swift
/// let manifest = export / "snapshots" / "harbour" / "17" / "manifest.json"
/// ```
package struct Path: Sendable, Hashable {
    package let string: String

    /// Trailing slashes are dropped, so that two spellings of one folder are equal.
    package init(_ string: String) {
        precondition(!string.isEmpty, "an empty path names nothing")
        precondition(!string.utf8.contains(0), "a path ends at its first zero byte")
        var trimmed = Substring(string)
        while trimmed.utf8.count > 1, trimmed.hasSuffix("/") {
            trimmed = trimmed.dropLast()
        }
        self.string = String(trimmed)
    }

    package static func / (folder: Path, name: String) -> Path {
        Path(folder.string == "/" ? "/\(name)" : "\(folder.string)/\(name)")
    }

    /// The part after the last slash.
    package var name: String {
        string.split(separator: "/").last.map(String.init) ?? string
    }

    /// The folder this lies in; `.` for a bare name, `/` for the root.
    package var parent: Path {
        guard let slash = string.lastIndex(of: "/") else { return Path(".") }
        return slash == string.startIndex ? Path("/") : Path(String(string[..<slash]))
    }

    package var isAbsolute: Bool { string.hasPrefix("/") }
}

extension Path: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) {
        self.init(value)
    }
}

extension Path: CustomStringConvertible {
    package var description: String { string }
}

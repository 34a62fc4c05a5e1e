/// A file of the repository as the rules see it: a path from the root, and a text.
struct TextFile {
    let path: String
    let text: String
    /// Without their newlines.
    let lines: [Substring]
    /// Empty for anything but Swift.
    let tokens: [Token]

    init(_ path: String, _ text: String) {
        self.path = path
        self.text = text
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        tokens = path.hasSuffix(".swift") ? Tokenizer.tokens(of: text) : []
    }
}

extension TextFile {
    var folders: [Substring] { path.split(separator: "/").dropLast() }

    var name: Substring { path.split(separator: "/").last ?? "" }

    /// What follows the last point of the name; empty where there is none.
    var suffix: Substring {
        name.lastIndex(of: ".").map { name[name.index(after: $0)...] } ?? ""
    }

    /// The module that a file under `Sources` belongs to.
    var module: String? {
        folders.first == "Sources" && folders.count > 1 ? String(folders[1]) : nil
    }

    /// Whether it is shown in a documentation catalogue, and belongs to whoever reads it there.
    var isExample: Bool { folders.contains { $0.hasSuffix(".docc") } }

    func finding(_ line: Int, _ sentence: String) -> Finding {
        Finding(path: path, line: line, sentence: sentence)
    }
}

/// What is wrong, and where.
struct Finding: Equatable, CustomStringConvertible {
    let path: String
    let line: Int
    let sentence: String

    var description: String { "\(path):\(line): \(sentence)" }
}

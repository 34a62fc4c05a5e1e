/// How tests, types and files are called and introduced.
enum Names {
    /// A test's name is what it proves, as a sentence.
    static func unspokenTests(_ file: TextFile) -> [Finding] {
        guard file.folders.first == "Tests" else { return [] }
        let tokens = file.tokens
        return tokens.indices.compactMap { index in
            guard tokens[index].text == "func", index + 1 < tokens.count else { return nil }
            let name = tokens[index + 1].text
            if isTest(at: index, in: tokens) {
                guard name.hasPrefix("`"), name.contains(" ") else {
                    return file.finding(tokens[index].line, "\(name) is no sentence")
                }
            }
            guard name.hasPrefix("test"), name.dropFirst(4).first?.isUppercase == true else {
                return nil
            }
            return file.finding(tokens[index].line, "\(name) begins with the word test")
        }
    }

    /// Whether `@Test` stands before the function, with no other declaration in between.
    private static func isTest(at function: Int, in tokens: [Token]) -> Bool {
        for index in tokens.indices[..<function].reversed() {
            if tokens[index].text == "Test", index > 0, tokens[index - 1].text == "@" {
                return true
            }
            if ["func", "struct", "class", "enum", "extension", "var", "let", "import"]
                .contains(tokens[index].text)
            {
                return false
            }
        }
        return false
    }

    /// Folders that say how something is made instead of what it is about.
    private static let emptyNames: Set<Substring> = [
        "Common", "Extensions", "Helpers", "Managers", "Models", "Utilities", "Utils",
    ]

    static func emptyFolders(_ file: TextFile) -> [Finding] {
        file.folders.filter(emptyNames.contains).map {
            file.finding(1, "a folder is called after its subject, not \($0)")
        }
    }

    private static let placeholder = "Placeholder.swift"

    /// Files that keep a room's place until somebody has something to say.
    static func placeholders(_ file: TextFile) -> [Finding] {
        guard file.name == placeholder else { return [] }
        return [file.finding(1, "the place is still empty")]
    }

    private static let kinds: Set = ["struct", "enum", "class", "actor", "protocol"]
    private static let modifiers: Set = ["final", "indirect", "nonisolated", "distributed"]

    /// What a protocol of the standard library asks for; the protocol says what it is.
    private static let witnesses: Set = ["AsyncIterator", "Iterator"]

    /// A type that other rooms use says in one sentence what it is.
    static func undocumentedTypes(_ file: TextFile) -> [Finding] {
        guard file.folders.first == "Sources" else { return [] }
        return file.tokens.indices.compactMap { index in
            guard ["package", "public"].contains(file.tokens[index].text) else { return nil }
            let rest = file.tokens[(index + 1)...].drop { modifiers.contains($0.text) }
            guard let kind = rest.first, kinds.contains(kind.text),
                let name = rest.dropFirst().first,
                !["func", "var", "let", "subscript"].contains(name.text),
                !witnesses.contains(name.text)
            else { return nil }
            let line = file.tokens[index].line
            guard !isDocumented(declarationAt: line, in: file) else { return nil }
            return file.finding(line, "\(name.text) has no doc comment")
        }
    }

    private static func isDocumented(declarationAt line: Int, in file: TextFile) -> Bool {
        let above = file.lines[..<(line - 1)].reversed().map { $0.drop { $0 == " " } }
        return above.first { !$0.hasPrefix("@") }?.hasPrefix("///") == true
    }
}

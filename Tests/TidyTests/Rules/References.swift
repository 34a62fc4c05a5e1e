/// Names that a reference page lists and the code defines: the two have to be the same.
enum References {
    /// The names in backticks in a column of the page's tables.
    static func names(on page: TextFile, column: Int) -> Set<String> {
        let cells = page.lines.filter { $0.hasPrefix("|") }.compactMap { line -> Substring? in
            let cells = line.split(separator: "|")
            return column < cells.count ? cells[column] : nil
        }
        return Set(
            cells.flatMap { cell in cell.matches(of: #/`([^`]+)`/#).map { String($0.output.1) } }
        )
    }

    /// The raw values of the cases that the file declares: given, or the case's own name.
    static func rawValues(in file: TextFile) -> Set<String> {
        Set(
            file.lines.compactMap { line in
                line.wholeMatch(of: #/ *case (\w+)(?: = "([^"]+)")?/#).map { match in
                    String(match.output.2 ?? match.output.1)
                }
            }
        )
    }

    /// The names of the objections that are declared, which are their codes, by their kind.
    static func objections(in files: [TextFile]) -> [String: Set<String>] {
        let declared = files.flatMap { file in
            file.text.matches(
                of: #/static (?:func|var) (\w+)[^{=]*Objection\s*\{(?s:.*?)Objection\(\s*\.(\w+),/#
            )
        }
        return Dictionary(grouping: declared) { String($0.output.2) }.mapValues { declared in
            Set(declared.map { String($0.output.1) })
        }
    }

    /// Functions that a page names as `Type.function`, and that no Swift file has.
    static func missingFunctions(on page: TextFile, in files: [TextFile]) -> [String] {
        let named = page.text.matches(of: #/`([A-Z]\w*)\.(\w+)`/#).map { match in
            (type: String(match.output.1), function: String(match.output.2))
        }
        return named.filter { name in
            name.function != "swift"
                && !files.contains { declares(name.type, name.function, $0.tokens) }
        }.map { "\($0.type).\($0.function)" }
    }

    /// What a page names in backticks and nobody has.
    ///
    /// A path begins at the root, in `Sources` or in `Tests`. What begins with a capital is a type, a
    /// file or a folder; else it is a member, as it is behind a type. Anything else is no name.
    static func missingNames(on page: TextFile, in files: [TextFile]) -> [String] {
        let code = files.map { Declarations($0.tokens) }
        let types = Set(code.flatMap(\.types))
        let members = Set(code.flatMap(\.members))
        let stems = Set(files.flatMap { $0.folders + $0.name.split(separator: ".").prefix(1) })
        return page.text.matches(of: #/`([^`]+)`/#).map(\.output.1).filter { name in
            if name.wholeMatch(of: #/\w[\w.+-]*(?:\/[\w.+-]+)+/#) != nil {
                return !["", "Sources/", "Tests/"].contains { root in
                    files.contains { "\($0.path)/".hasPrefix("\(root)\(name)/") }
                }
            }
            if let parts = name.wholeMatch(of: #/([A-Z]\w*)\.(\w+)/#) {
                let (type, member) = (String(parts.output.1), String(parts.output.2))
                return !code.contains { $0.types.contains(type) && $0.members.contains(member) }
            }
            if name.wholeMatch(of: #/[A-Z][\w+]*/#) != nil {
                return !types.contains(String(name)) && !stems.contains(name)
            }
            return name.wholeMatch(of: #/[a-z]\w*/#) != nil && !members.contains(String(name))
        }.map(String.init)
    }

    /// The names that a file declares, and the types that it adds to.
    private struct Declarations {
        let types: Set<String>
        let members: Set<String>

        init(_ tokens: [Token]) {
            types = tokens.names(after: kinds)
            members = tokens.names(after: ["func", "var", "let", "case"])
        }
    }

    /// Tests that a page names as `file: name of the test`, and that the file does not have.
    static func missingTests(on page: TextFile, in files: [TextFile]) -> [String] {
        namedTests(in: page.text).filter { name in
            !files.contains { file in
                file.folders.first == "Tests" && file.path.hasSuffix("/\(name.file).swift")
                    && file.text.contains("func `\(name.test)`")
            }
        }.map { "\($0.file): \($0.test)" }
    }

    /// Suites of tests that a page names, and that are not there.
    static func missingSuites(on page: TextFile, in files: [TextFile]) -> [String] {
        let tests = files.filter { $0.folders.first == "Tests" && $0.suffix == "swift" }
        let types = Set(tests.flatMap { Declarations($0.tokens).types })
        return page.text.matches(of: #/`(\w+Tests)`/#).map { String($0.output.1) }
            .filter { !types.contains($0) }
    }

    /// The faults that the drill has, as its file declares them.
    static func drilled(in file: TextFile) -> Set<String> {
        Set(file.text.matches(of: #/class (\w+)\(\w+\):/#).map { String($0.output.1) })
    }

    /// Items of the page's lists that name no test.
    static func unheldClaims(on page: TextFile) -> [String] {
        var items: [String] = []
        for (previous, line) in zip([""] + page.lines, page.lines) {
            if line.hasPrefix("- ") {
                items.append(String(line.dropFirst(2)))
            } else if line.hasPrefix("  "), !previous.isEmpty, let last = items.popLast() {
                items.append("\(last) \(line.dropFirst(2))")
            }
        }
        return items.filter { namedTests(in: $0).isEmpty }
    }

    private static func namedTests(in text: String) -> [(file: String, test: String)] {
        text.matches(of: #/`(\w+Tests):\s+([^`]+)`/#).map { match in
            let words = match.output.2.split(whereSeparator: \.isWhitespace)
            return (file: String(match.output.1), test: words.joined(separator: " "))
        }
    }

    private static let kinds: Set = [
        "struct", "enum", "class", "actor", "protocol", "extension", "typealias",
    ]

    private static func declares(_ type: String, _ function: String, _ tokens: [Token]) -> Bool {
        let pairs = zip(tokens, tokens.dropFirst())
        return pairs.contains { kinds.contains($0.text) && $1.text == type }
            && pairs.contains { first, second in
                first.text == "func" && second.text == function
                    || first.text == "init" && function == "init"
            }
    }
}

extension [Token] {
    /// What follows one of the words.
    fileprivate func names(after words: Set<String>) -> Set<String> {
        Set(zip(self, dropFirst()).filter { words.contains($0.0.text) }.map(\.1.text))
    }
}

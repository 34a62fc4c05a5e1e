/// Limits of what a reader has to hold in mind at once.
enum Lengths {
    static let fileLinesMaximum = 400
    static let functionLinesMaximum = 60

    /// Files of code; a document or a licence is as long as it is.
    private static let limitedSuffixes: Set<Substring> = ["swift", "c", "h", "sql", "sh"]

    /// The whole schema: what all migrations add up to, and the first of them.
    private static let wholeSchema = ["sql/schema.sql", "sql/migrations/m0001_baseline.sql"]

    static func longFiles(_ file: TextFile) -> [Finding] {
        let isScript = ["scripts", ".ci"].contains(file.folders.first)
        guard limitedSuffixes.contains(file.suffix) || isScript, !wholeSchema.contains(file.path)
        else { return [] }
        // A final newline ends the last line and begins no other.
        let count = file.lines.count - (file.lines.last?.isEmpty == true ? 1 : 0)
        guard count > fileLinesMaximum else { return [] }
        return [file.finding(count, "a file has at most \(fileLinesMaximum) lines, not \(count)")]
    }

    static func longFunctions(_ file: TextFile) -> [Finding] {
        file.tokens.indices.compactMap { start in
            guard let end = lastToken(ofFunctionAt: start, in: file.tokens) else { return nil }
            let first = file.tokens[start].line
            let count = file.tokens[end].line - first + 1
            guard count > functionLinesMaximum else { return nil }
            return file.finding(
                first,
                "a function has at most \(functionLinesMaximum) lines, not \(count)"
            )
        }
    }

    /// The closing brace of a function declared here; `nil` where none is, or where it has no
    /// body, as in a protocol.
    private static func lastToken(ofFunctionAt start: Int, in tokens: [Token]) -> Int? {
        guard ["func", "init", "deinit", "subscript"].contains(tokens[start].text) else {
            return nil
        }
        if start > 0, [".", "\""].contains(tokens[start - 1].text) { return nil }
        guard let brace = bodyBrace(after: start, in: tokens) else { return nil }
        var depth = 0
        for index in brace..<tokens.count {
            if tokens[index].text == "{" { depth += 1 }
            if tokens[index].text == "}" { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    private static let nextDeclaration: Set = [
        "@", "actor", "associatedtype", "borrowing", "case", "class", "consuming", "deinit",
        "enum", "extension", "fileprivate", "func", "init", "internal", "let", "mutating",
        "nonisolated", "package", "private", "protocol", "public", "static", "struct",
        "subscript", "typealias", "var",
    ]

    private static func bodyBrace(after start: Int, in tokens: [Token]) -> Int? {
        var depth = 0
        for index in tokens.indices[(start + 1)...] {
            let token = tokens[index]
            switch token.text {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "{" where depth == 0: return index
            case "}" where depth == 0: return nil
            default: break
            }
            if depth < 0 { return nil }
            if depth == 0, token.startsLine, nextDeclaration.contains(token.text) { return nil }
        }
        return nil
    }
}

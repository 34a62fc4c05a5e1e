/// Rules for what is not code: documents, SQL, and what git leaves out.
enum Pages {
    static func headings(_ file: TextFile) -> [Finding] {
        guard file.suffix == "md" else { return [] }
        var isCode = false
        var titles: [Int] = []
        for (number, line) in zip(1..., file.lines) {
            if line.hasPrefix("```") { isCode.toggle() }
            if !isCode, line.hasPrefix("# ") { titles.append(number) }
        }
        guard titles.count != 1 else { return [] }
        return [file.finding(titles.last ?? 1, "a page has one title, not \(titles.count)")]
    }

    /// SQL that nothing reads; code may name a file or the constant it is embedded as.
    static func unreadSQL(_ files: [TextFile]) -> [Finding] {
        let code = files.filter { $0.suffix == "swift" }
        return files.filter { $0.suffix == "sql" }.compactMap { file in
            let stem = file.name.dropLast(4)
            let constant = stem.replacing("-", with: "_").replacing(".", with: "_") + "_sql"
            let isRead = code.contains {
                $0.text.contains(file.name) || $0.text.contains(constant)
                    || $0.text.contains("\"\(stem)\"")
            }
            return isRead ? nil : file.finding(1, "no Swift file names it")
        }
    }

    /// What tools make must never be committed.
    static func committedByAccident(_ file: TextFile) -> [Finding] {
        guard file.path == ".gitignore" else { return [] }
        return [".build/", "Package.resolved"].filter { !file.lines.contains($0[...]) }
            .map { file.finding(1, "\($0) is not ignored") }
    }
}

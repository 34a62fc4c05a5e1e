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

    /// Links from page to page that lead nowhere.
    static func brokenLinks(_ files: [TextFile]) -> [Finding] {
        let paths = Set(files.map(\.path))
        var findings: [Finding] = []
        for page in files where page.suffix == "md" {
            for (number, line) in zip(1..., page.lines) {
                for link in links(in: line)
                where !leads(to: resolve(link, from: page), among: paths) {
                    findings.append(page.finding(number, "\(link) is not there"))
                }
            }
        }
        return findings
    }

    /// The addresses within the repository, without what follows a number sign.
    private static func links(in line: Substring) -> [String] {
        line.matches(of: #/\]\(([^)#]+)[^)]*\)/#).map { String($0.output.1) }
            .filter { !$0.contains("://") }
    }

    private static func resolve(_ link: String, from page: TextFile) -> String {
        var steps = page.folders
        for step in link.split(separator: "/") where step != "." {
            if step == ".." { _ = steps.popLast() } else { steps.append(step) }
        }
        return steps.joined(separator: "/")
    }

    private static func leads(to path: String, among paths: Set<String>) -> Bool {
        paths.contains(path) || paths.contains { $0.hasPrefix("\(path)/") }
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

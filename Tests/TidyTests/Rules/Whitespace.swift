/// Blanks that nobody sees and every diff shows.
enum Whitespace {
    /// Folders of files whose bytes are the point, newline or none.
    private static let exactFolders: Set<Substring> = ["Golden", "Vectors"]

    static func untidy(_ file: TextFile) -> [Finding] {
        guard exactFolders.isDisjoint(with: file.folders), !file.text.isEmpty else { return [] }
        return zip(1..., file.lines).compactMap { number, line in
            sentence(on: line).map { file.finding(number, $0) }
        } + ending(of: file)
    }

    private static func sentence(on line: Substring) -> String? {
        if line.unicodeScalars.contains("\t") { return "indent with blanks, not with tabs" }
        if line.unicodeScalars.contains("\r") { return "lines end with a newline alone" }
        if line.unicodeScalars.last == " " { return "a line does not end with blanks" }
        return nil
    }

    private static func ending(of file: TextFile) -> [Finding] {
        if file.lines.last?.isEmpty == false {
            return [file.finding(file.lines.count, "a file ends with a newline")]
        }
        if file.lines.count > 1, file.lines.suffix(2).allSatisfy(\.isEmpty) {
            return [file.finding(file.lines.count, "a file ends with one newline")]
        }
        return []
    }
}

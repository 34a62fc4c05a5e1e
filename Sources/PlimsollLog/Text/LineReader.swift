/// Takes a text apart line by line; a line ends with a newline, always.
struct LineReader {
    private(set) var rest: ArraySlice<UInt8>

    static let newline = UInt8(ascii: "\n")

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    /// The next line without its newline; `nil` where none ends any more.
    mutating func next() -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: Self.newline) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[..<end]
    }

    /// What follows a word and one space on the next line, if that is how it begins.
    mutating func next(after word: String) -> ArraySlice<UInt8>? {
        var ahead = self
        let beginning = Array("\(word) ".utf8)
        guard let line = ahead.next(), line.starts(with: beginning) else { return nil }
        self = ahead
        return line.dropFirst(beginning.count)
    }

    /// Every line up to a blank one, which is taken too; `nil` if none comes or there are too many.
    mutating func linesUntilBlank(maximum: Int) -> [ArraySlice<UInt8>]? {
        var lines: [ArraySlice<UInt8>] = []
        while let line = next() {
            if line.isEmpty { return lines }
            guard lines.count < maximum else { return nil }
            lines.append(line)
        }
        return nil
    }
}

/// A command line as a page or a help text shows it.
struct ShellExample: CustomStringConvertible {
    let text: String
    /// What the program is given: words without their quotes, up to where the shell goes on alone.
    let arguments: [String]

    var description: String { text }

    /// The examples in a text: lines that begin with the program, with what they go on in.
    static func all(in text: String) -> [ShellExample] {
        let lines = text.replacing(/\\+\n\s*/, with: "")
            .replacing(/\$\(.*\| jq -r \.digest\)/, with: digest).split(separator: "\n")
        return lines.compactMap { line in
            let line = line.trimmingPrefix(/\s*(For example: )?(\$ )?([A-Z_]+=\S+ )*/)
            return line.hasPrefix("plimsoll ") ? ShellExample(String(line)) : nil
        }
    }

    /// What a command within a command would answer.
    private static let digest = String(repeating: "5a", count: 32)

    private init(_ text: String) {
        self.text = text
        var reader = WordReader()
        for character in text { reader.take(character) }
        reader.endWord()
        arguments = Array(reader.words.dropFirst())
    }
}

/// Splits a simple command as a shell does.
private struct WordReader {
    private(set) var words: [String] = []
    private var word: String?
    private var quote: Character?
    /// Behind a pipe, a redirection or the end of the command.
    private var isOver = false

    mutating func take(_ character: Character) {
        if let open = quote {
            if character == open { quote = nil } else { word?.append(character) }
        } else if isOver {
            return
        } else if character == "\"" || character == "'" {
            quote = character
            word = word ?? ""
        } else if "|>;#&".contains(character), word == nil {
            isOver = true
        } else if character == " " {
            endWord()
        } else {
            word = (word ?? "") + String(character)
        }
    }

    mutating func endWord() {
        if let word { words.append(word) }
        word = nil
    }
}

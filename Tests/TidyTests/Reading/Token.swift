/// A word, a name or a sign of Swift code, without comments and without the insides of texts.
struct Token: Equatable {
    /// The token as written; a name in backticks keeps them, a string literal is two quotes.
    let text: String
    /// Counted from 1.
    let line: Int
    /// Whether it is the first token of its line.
    let startsLine: Bool
    /// Whether nothing stands between it and the token before it.
    let isAttached: Bool
}

/// Cuts Swift code into tokens, well enough to judge its manners.
///
/// What stands in comments, string literals and regular expressions is left out, so that a rule
/// about code never trips over prose. Code in an interpolation is code.
struct Tokenizer {
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var lineOfLastToken = 0
    private var tokens: [Token] = []

    private init(_ text: String) { bytes = Array(text.utf8) }

    static func tokens(of text: String) -> [Token] {
        var tokenizer = Tokenizer(text)
        tokenizer.readCode()
        return tokenizer.tokens
    }

    /// Reads until the end, or to the parenthesis that closes an interpolation.
    private mutating func readCode(inInterpolation: Bool = false) {
        var depth = 0
        while let byte = peek() {
            if inInterpolation, byte == UInt8(ascii: ")"), depth == 0 { return }
            switch byte {
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): skipLine()
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipBlock()
            case UInt8(ascii: "/") where beginsExpression: skipExpression(hashes: 0)
            case UInt8(ascii: "\""): readString(hashes: 0)
            case UInt8(ascii: "#"): readHashes()
            case UInt8(ascii: "`"): readQuotedName()
            case _ where isNameByte(byte): readName()
            default:
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") { depth -= 1 }
                if byte > UInt8(ascii: " ") { emit(String(UnicodeScalar(byte))) }
                advance()
            }
        }
    }

    private mutating func readName() {
        let start = index
        while let byte = peek(), isNameByte(byte) { advance() }
        emit(String(decoding: bytes[start..<index], as: UTF8.self), from: start)
    }

    private mutating func readQuotedName() {
        let start = index
        advance()
        while let byte = peek(), byte != UInt8(ascii: "`"), byte != UInt8(ascii: "\n") { advance() }
        advance()
        emit(String(decoding: bytes[start..<min(index, bytes.count)], as: UTF8.self), from: start)
    }

    /// Without a start, the token begins at the byte under the index.
    private mutating func emit(_ text: String, from start: Int? = nil) {
        let start = start ?? index
        tokens.append(
            Token(
                text: text,
                line: line,
                startsLine: line != lineOfLastToken,
                isAttached: start > 0 && bytes[start - 1] > UInt8(ascii: " ")
            )
        )
        lineOfLastToken = line
    }
}

// MARK: - What is left out

extension Tokenizer {
    private mutating func skipLine() {
        while let byte = peek(), byte != UInt8(ascii: "\n") { advance() }
    }

    /// Block comments nest.
    private mutating func skipBlock() {
        var depth = 0
        repeat {
            if peek() == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
                depth += 1
                advance(2)
            } else if peek() == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                depth -= 1
                advance(2)
            } else {
                advance()
            }
        } while depth > 0 && peek() != nil
    }

    private mutating func readHashes() {
        var hashes = 0
        while peek(hashes) == UInt8(ascii: "#") { hashes += 1 }
        switch peek(hashes) {
        case UInt8(ascii: "\""): readString(hashes: hashes)
        case UInt8(ascii: "/"): skipExpression(hashes: hashes)
        default:
            emit("#")
            advance(hashes)
        }
    }

    private mutating func readString(hashes: Int) {
        emit("\"\"")
        advance(hashes)
        let quotes = peek(1) == UInt8(ascii: "\"") && peek(2) == UInt8(ascii: "\"") ? 3 : 1
        advance(quotes)
        while let byte = peek() {
            if byte == UInt8(ascii: "\\"), isRun(of: UInt8(ascii: "#"), count: hashes, at: 1) {
                advance(1 + hashes)
                if peek() == UInt8(ascii: "(") { readInterpolation() } else { advance() }
            } else if isRun(of: UInt8(ascii: "\""), count: quotes, at: 0),
                isRun(of: UInt8(ascii: "#"), count: hashes, at: quotes)
            {
                return advance(quotes + hashes)
            } else {
                advance()
            }
        }
    }

    private mutating func readInterpolation() {
        advance()
        readCode(inInterpolation: true)
        advance()
    }

    /// A slash begins a regular expression where a value may begin and its like ends the line's
    /// expression; anywhere else it divides.
    private var beginsExpression: Bool {
        guard let next = peek(1), next > UInt8(ascii: " ") else { return false }
        guard let last = tokens.last, "(,=:[{".contains(last.text) else { return false }
        return bytes[(index + 1)...].prefix { $0 != UInt8(ascii: "\n") }
            .contains(UInt8(ascii: "/"))
    }

    private mutating func skipExpression(hashes: Int) {
        advance(hashes + 1)
        while let byte = peek() {
            if byte == UInt8(ascii: "\\") {
                advance(2)
            } else if byte == UInt8(ascii: "/"),
                isRun(of: UInt8(ascii: "#"), count: hashes, at: 1)
            {
                return advance(1 + hashes)
            } else {
                advance()
            }
        }
    }
}

// MARK: - Bytes

extension Tokenizer {
    private func peek(_ distance: Int = 0) -> UInt8? {
        index + distance < bytes.count ? bytes[index + distance] : nil
    }

    private func isRun(of byte: UInt8, count: Int, at distance: Int) -> Bool {
        (0..<count).allSatisfy { peek(distance + $0) == byte }
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where index < bytes.count {
            if bytes[index] == UInt8(ascii: "\n") { line += 1 }
            index += 1
        }
    }

    private func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default:
            false
        }
    }
}

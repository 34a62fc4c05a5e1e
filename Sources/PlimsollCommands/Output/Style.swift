/// How a terminal is made to emphasise, if it may.
struct Style: Sendable {
    let hasColours: Bool

    static let plain = Style(hasColours: false)

    func strong(_ text: String) -> String { wrapped(text, "1") }
    func good(_ text: String) -> String { wrapped(text, "32") }
    func bad(_ text: String) -> String { wrapped(text, "31") }

    private func wrapped(_ text: String, _ code: String) -> String {
        hasColours ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

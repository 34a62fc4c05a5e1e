import Testing

@Suite struct TokenizerTests {
    private func words(_ text: String) -> [String] { Tokenizer.tokens(of: text).map(\.text) }

    @Test(arguments: [
        "let a = b // unsafe", "let a = b /* unsafe /* unsafe */ unsafe */",
        "let a = b /// unsafe\n", "let a /* \" */ = b",
    ])
    func `comments are left out`(text: String) {
        #expect(words(text) == ["let", "a", "=", "b"])
    }

    @Test(arguments: [
        ##""unsafe""##, ##""a \" unsafe""##, ##"#"a " unsafe"#"##, ##"#"\(unsafe)"#"##,
        "\"\"\"\n unsafe \"\" unsafe\n\"\"\"", "\"// unsafe\"", "\"\\\\\"", "\"\"",
    ])
    func `the inside of a text is left out`(literal: String) {
        #expect(words("a \(literal) b") == ["a", "\"\"", "b"])
    }

    @Test func `code in an interpolation is code`() {
        #expect(words(##""x \(f("y")) z" b"##) == ["\"\"", "f", "(", "\"\"", ")", "b"])
        #expect(words(##"#"x \#(f) z"# b"##) == ["\"\"", "f", "b"])
    }

    @Test(arguments: ["/\"a/", "/\\/ \"/", "#/\"a/b/#"])
    func `the inside of a regular expression is left out`(literal: String) {
        #expect(words("f(\(literal)) b") == ["f", "(", ")", "b"])
    }

    @Test func `a division is no regular expression`() {
        #expect(words("a / b / c") == ["a", "/", "b", "/", "c"])
        #expect(words("(a) /b/ c") == ["(", "a", ")", "/", "b", "/", "c"])
    }

    @Test func `a name in backticks is one token`() {
        #expect(
            words("func `a \"{ unsafe`() {}") == ["func", "`a \"{ unsafe`", "(", ")", "{", "}"]
        )
    }

    @Test func `lines are counted through comments and texts`() {
        let tokens = Tokenizer.tokens(of: "/*\n*/ a\n\"\"\"\n\n\"\"\" b c")
        #expect(tokens.map(\.line) == [2, 3, 5, 5])
        #expect(tokens.map(\.startsLine) == [true, true, true, false])
    }

    @Test(arguments: [
        "\"never closed", "/* never closed", "`never closed", "\"\\", "\"\\(", "#", "",
    ])
    func `text that ends too early ends the tokens`(text: String) {
        #expect(words(text).count <= 1)
    }
}

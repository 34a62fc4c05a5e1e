/// Words that stand nowhere in the tree, or only in the room that is known to need them.
enum Words {
    /// Where a process speaks to its terminal.
    private static let printingModules = ["PlimsollCommands", "plimsoll", "Benchmarks"]

    /// The rooms next to C; their tests are theirs.
    private static let uncheckedModules = ["PlimsollPostgres", "PlimsollSystem"]

    /// Runs services, and names them.
    private static let running = "Sources/PlimsollHTTP/ServiceRunning.swift"

    /// Where a task is started and left alone.
    ///
    /// The `main` of tests never returns. What the client gives a time may be an app's own, and a
    /// group would wait for it even then.
    private static let unwaited = [
        "Tests/XCTMain.swift", "Sources/PlimsollClient/Fetching/InTime.swift",
    ]

    static func banned(_ file: TextFile) -> [Finding] {
        file.tokens.indices.compactMap { index in
            sentence(at: index, in: file).map { file.finding(file.tokens[index].line, $0) }
        }
    }

    private static func sentence(at index: Int, in file: TextFile) -> String? {
        let following = file.tokens.dropFirst(index + 1).first
        let next = following?.text
        let previous = index > 0 ? file.tokens[index - 1].text : nil
        return switch file.tokens[index].text {
        case "unchecked" where previous == "@":
            "say what makes it Sendable instead of @unchecked"
        case "fatalError": "a precondition with a sentence says what was violated"
        case "try" where next == "!" && following?.isAttached == true:
            "an error is handled, translated or thrown on"
        case "unsafe" where !belongs(file, to: uncheckedModules):
            "memory is unsafe only next to C, in PlimsollPostgres and PlimsollSystem"
        case "print"
        where next == "(" && ![".", "func"].contains(previous)
            && !belongs(file, to: printingModules):
            "only a command prints"
        case "Task"
        where isUnstructured(file.tokens, after: index) && !unwaited.contains(file.path):
            "a task is the child of a group, or nobody waits for it"
        case "unsafeFlags" where !isOfTests(file.tokens, before: index):
            "a package with unsafe flags cannot be built by those who use it"
        case "ServiceGroup", "ServiceGroupConfiguration", "ServiceConfiguration", "runService":
            isOfProgram(file) && file.path != running
                ? "services are run by runServices, which names them; else all they hold is logged"
                : nil
        case "XCTest": "tests are written with Swift Testing"
        case let word
        where ["withKnownIssue", "disabled"].contains(word) && isSkipping(file, at: index):
            "a test that does not count says nothing"
        default: nil
        }
    }

    /// Nobody builds the tests of a package that they use, nor builds it as `scripts/test` does.
    private static func isOfTests(_ tokens: [Token], before index: Int) -> Bool {
        let block = tokens[..<index].reversed().prefix { $0.text != "}" }.reversed()
        let before = block.map(\.text).joined()
        return before.contains("target.type==.test{") || before.contains("isTestedOptimised{")
    }

    private static func isOfProgram(_ file: TextFile) -> Bool { file.folders.first == "Sources" }

    private static func isSkipping(_ file: TextFile, at index: Int) -> Bool {
        guard file.folders.first == "Tests" else { return false }
        guard file.tokens[index].text == "disabled", index > 0 else { return true }
        return file.tokens[index - 1].text == "."
            && file.tokens.dropFirst(index + 1).first?.text == "("
    }

    private static func belongs(_ file: TextFile, to modules: [String]) -> Bool {
        file.folders.prefix(2).contains { folder in
            modules.contains { folder == $0 || folder == "\($0)Tests" }
        }
    }

    /// `Task {`, `Task(priority: …) {`, `Task<Void, Never> {`, `Task.detached`, `Task.immediate`.
    private static func isUnstructured(_ tokens: [Token], after index: Int) -> Bool {
        var rest = tokens[(index + 1)...]
        if rest.first?.text == "." {
            return ["detached", "immediate", "immediateDetached"]
                .contains(rest.dropFirst().first?.text)
        }
        if rest.first?.text == "<" { rest = rest.drop { $0.text != ">" }.dropFirst() }
        if rest.first?.text == "(" {
            var depth = 0
            rest = rest.drop { token in
                if token.text == "(" { depth += 1 }
                if token.text == ")" { depth -= 1 }
                return depth > 0
            }.dropFirst()
        }
        return rest.first?.text == "{"
    }

    /// Put together here, so that this file does not break its own rule.
    private static let promises = ["TO" + "DO", "FIX" + "ME"]

    static func unkeptPromises(_ file: TextFile) -> [Finding] {
        matches(in: file) { line in
            promises.first { word in occurs(word, in: line) { !$0.isLetter && !$0.isNumber } }
        }.map { file.finding($0.line, "what is missing is an issue, not a \($0.word)") }
    }

    private static let localPaths = ["work/", "opt/swift", "tmp/bash"].map { "/" + $0 }

    /// A path that means something on one machine only.
    static func localPath(_ file: TextFile) -> [Finding] {
        matches(in: file) { line in
            localPaths.first { path in
                occurs(path, in: line) { !$0.isLetter && !$0.isNumber && !"/._-~}".contains($0) }
            }
        }.map { file.finding($0.line, "\($0.word) exists on one machine only") }
    }

    private static func matches(
        in file: TextFile,
        _ find: (Substring) -> String?
    ) -> [(line: Int, word: String)] {
        zip(1..., file.lines).compactMap { number, line in find(line).map { (number, $0) } }
    }

    /// Whether the word stands in the line, at its beginning or after a character that may
    /// stand before it.
    private static func occurs(
        _ word: String,
        in line: Substring,
        after mayPrecede: (Character) -> Bool
    ) -> Bool {
        line.ranges(of: word).contains { range in
            line[..<range.lowerBound].last.map(mayPrecede) ?? true
        }
    }
}

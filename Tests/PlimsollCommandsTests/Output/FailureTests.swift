import PlimsollAPI
import PlimsollDomain
import Testing

@testable import PlimsollCommands

struct FailureTests {
    @Test func `the numbers of the exit codes stand in the documentation`() {
        #expect(ExitStatus.allCases.map(\.rawValue) == Array(0...8))
    }

    @Test func `a failure says what, why, how to clear it, and what to run next`() {
        let failure = Failure(
            .conflict,
            "The world has moved on.",
            detail: "2 things stand in the way; see the errors.",
            checks: [
                .init(detail: "It moved.", remedy: "Read it again."),
                .init(detail: "It is yours.", remedy: nil),
            ],
            next: "plimsoll get"
        )
        #expect(
            failure.lines == [
                "Error: The world has moved on.", "2 things stand in the way; see the errors.",
                "  - It moved.", "    Read it again.", "  - It is yours.", "Next: plimsoll get",
            ]
        )
    }

    @Test func `what is said twice is written once`() {
        let failure = Failure(
            .failed,
            "No.",
            detail: "It moved.",
            checks: [.init(detail: "It moved.", remedy: nil)]
        )
        #expect(failure.lines == ["Error: No.", "  - It moved."])
    }

    @Test func `a service cannot repaint the terminal`() {
        #expect(Failure(.failed, "a\u{1B}[2J").lines == ["Error: a\\u{1b}[2J"])
    }
}

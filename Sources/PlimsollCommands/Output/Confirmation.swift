import ArgumentParser
import Foundation

/// Asks before something is done that others will feel.
struct Confirmation: ParsableArguments {
    @Flag(help: "Do it without asking; needed where there is no terminal to ask on.")
    var yes = false

    private var canAsk: Bool {
        isatty(STDIN_FILENO) == 1 && Channel.standardError.isTerminal
    }

    /// Refuses to go on where nobody can be asked, before anything is shown or done.
    func check() throws {
        guard yes || canAsk else {
            throw Failure(
                .usage,
                "This has to be confirmed, and there is no terminal to ask on.",
                next: "the same command with --yes"
            )
        }
    }

    /// Returns once somebody agreed; a terminal is asked, and never a pipe.
    func obtain(_ question: String) throws {
        if yes { return }
        try check()
        Channel.standardError.write("\(question) [y/N] ")
        let answer = readLine()?.lowercased() ?? ""
        guard ["y", "yes"].contains(answer) else {
            throw Failure(.failed, "Nothing was done, because it was not confirmed.")
        }
    }
}

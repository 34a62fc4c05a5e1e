import ArgumentParser
import PlimsollAPI

/// What the commands are called to which fingers are used from `git`, `gh` and `kubectl`, or which
/// somebody in a hurry may think of.
let foreignWords = [
    "annotate": "blame",
    "apply": "import",
    "approve": "change approve",
    "audit": "history",
    "auth": "whoami",
    "branch": "changes",
    "checkout": "rollback",
    "commit": "propose",
    "create": "propose",
    "delete": "propose",
    "describe": "change show",
    "edit": "propose",
    "events": "history",
    "fetch": "get",
    "health": "doctor",
    "issue": "changes",
    "kill": "block",
    "log": "history",
    "login": "whoami",
    "logs": "history",
    "merge": "change approve",
    "patch": "propose",
    "pr": "changes",
    "publish": "propose",
    "pull": "get",
    "push": "propose",
    "reject": "change reject",
    "reset": "rollback",
    "review": "change approve",
    "rollout": "rollback",
    "set": "propose",
    "show": "change show",
    "stash": "change withdraw",
    "status": "doctor",
    "stop": "block",
    "tag": "release add",
    "thaw": "freeze off",
    "unblock": "revert",
    "undo": "revert",
    "unfreeze": "freeze off",
    "users": "principal list",
    "withdraw": "change withdraw",
]

/// Stops at a word that is no command, and says which may be meant.
///
/// The parser would complain of the first option behind it; or, asked for help, show that of the command
/// above and end well.
func refuseUnknownCommand(_ arguments: [String]) throws(Failure) {
    let isHelp = arguments.first == "help"
    let words =
        isHelp
        ? arguments.dropFirst().filter { !$0.hasPrefix("-") }
        : Array(arguments.prefix { !$0.hasPrefix("-") })
    guard words != ["help"] else { return }
    var command: any ParsableCommand.Type = Plimsoll.self
    for (index, word) in words.enumerated() {
        let below = command.configuration.subcommands
        if below.isEmpty, !isHelp { return }
        guard let next = below.first(where: { $0.names.contains(word) }) else {
            throw unknownCommand(
                word,
                under: Array(words.prefix(index)),
                below.flatMap { $0.names }
            )
        }
        command = next
    }
}

private func unknownCommand(_ word: String, under path: [String], _ names: [String]) -> Failure {
    let foreign = path.isEmpty ? foreignWords[word] : nil
    let asked = legible(excerpt((path + [word]).joined(separator: " "), 200))
    guard let meant = foreign ?? nearest(to: word, among: names) else {
        return Failure(
            .usage,
            "There is no command \(asked).",
            next: (["plimsoll help"] + path).joined(separator: " ")
        )
    }
    let command = (["plimsoll"] + path + [meant]).joined(separator: " ")
    return Failure(
        .usage,
        "There is no command \(asked); did you mean \(command)?",
        next: "\(command) --help"
    )
}

/// The name that a slip or two make the word of: a letter too many or missing is one, a wrong letter or
/// two in the wrong order are two.
private func nearest(to word: String, among names: [String]) -> String? {
    // Comparing takes the square of the length.
    guard word.utf8.count <= 32 else { return nil }
    let slips = names.map { name in (name, count: word.difference(from: name).count) }
    let fewest = slips.min { $0.count < $1.count }
    return fewest.flatMap { name, count in
        count < word.count && count <= max(2, name.count * 3 / 8) ? name : nil
    }
}

extension ParsableCommand {
    fileprivate static var names: [String] {
        [configuration.commandName ?? _commandName] + configuration.aliases
    }
}

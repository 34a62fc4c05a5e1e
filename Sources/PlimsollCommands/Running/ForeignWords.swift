/// What the commands are called to which fingers are used from `git`, `gh` and `kubectl`.
let foreignWords = [
    "annotate": "blame",
    "apply": "import",
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
    "issue": "changes",
    "log": "history",
    "logs": "history",
    "merge": "change approve",
    "patch": "propose",
    "pr": "changes",
    "pull": "get",
    "push": "propose",
    "reset": "rollback",
    "review": "change approve",
    "rollout": "rollback",
    "set": "propose",
    "show": "change show",
    "stash": "change withdraw",
    "status": "doctor",
    "tag": "release add",
]

/// Stops at a word of another program, and says ours.
func refuseForeignWord(_ word: String?) throws(Failure) {
    guard let word, let meant = foreignWords[word] else { return }
    throw Failure(
        .usage,
        "There is no command \(word); did you mean plimsoll \(meant)?",
        next: "plimsoll \(meant) --help"
    )
}

/// Why a command did not do what it was asked, and what to do next.
struct Failure: Error, Equatable {
    let status: ExitStatus
    let title: String
    let detail: String?
    let checks: [Check]
    /// The command to run next.
    let next: String?

    /// One thing that stands in the way.
    struct Check: Equatable {
        let detail: String
        let remedy: String?
    }

    init(
        _ status: ExitStatus = .failed,
        _ title: String,
        detail: String? = nil,
        checks: [Check] = [],
        next: String? = nil
    ) {
        self.status = status
        self.title = title
        self.detail = detail
        self.checks = checks
        self.next = next
    }

    /// What is written to standard error.
    var lines: [String] {
        var lines = ["Error: \(title)"]
        // With one check the detail says the same again.
        if let detail, checks.count != 1 || !checks[0].detail.hasPrefix(detail) {
            lines.append(detail)
        }
        for check in checks {
            lines.append("  - \(check.detail)")
            if let remedy = check.remedy { lines.append("    \(remedy)") }
        }
        if let next { lines.append("Next: \(next)") }
        return lines.map { line in line.split(separator: "\n").map(legible).joined(separator: "\n")
        }
    }
}

import PlimsollDomain
import PlimsollFiles
import PlimsollUseCases

/// What an operator is told once everything runs.
struct Announcement: CustomStringConvertible {
    let rest: String
    /// With its scheme.
    let edge: String
    /// `nil` where its file was taken away after the first start.
    let adminToken: AdminToken?
    let sample: AppSlug?
    /// Why nothing is written; `nil` where all is well.
    let prohibition: String?

    var description: String {
        let lines =
            [
                prohibition.map { "Plimsoll reads only. \($0)" } ?? "Plimsoll is ready.",
                "",
                "  REST     http://\(rest)",
                "  phones   \(edge)",
            ] + admin + next + [""]
        return lines.joined(separator: "\n")
    }

    private var next: [String] {
        guard prohibition == nil else { return [] }
        return ["", "Try next:", ""] + commands.map { "  " + $0 }
    }

    private var admin: [String] {
        guard let adminToken else { return [] }
        return [
            "  admin    \(adminToken.secret.text)",
            "           also in \(adminToken.file); valid until it is revoked",
        ]
    }

    private var commands: [String] {
        let token = adminToken.map { "$(cat \($0.file))" } ?? "plm_…"
        let client = "PLIMSOLL_URL=http://\(rest) PLIMSOLL_TOKEN=\(token) plimsoll"
        guard let sample else {
            return ["\(client) whoami", "\(client) apps register --help"]
        }
        return [
            "curl -i \(edge)/distribution/\(sample)/availability-ios",
            "\(client) token create --name alice --role proposer --app \(sample)",
        ]
    }
}

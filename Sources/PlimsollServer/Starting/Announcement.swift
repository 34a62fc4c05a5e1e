import PlimsollDomain
import PlimsollSystem
import PlimsollService

/// What an operator is told once everything runs.
///
/// It may go to a journal that many read and that is kept for years, so it names the file of the
/// administrator's token.
struct Announcement: CustomStringConvertible {
    /// The token that the first start left behind.
    struct Admin {
        enum Standing {
            /// A person sees the first start on a terminal, and reads the token itself.
            case shown
            case valid
            /// Revoked, or unknown to this database.
            case dead
        }

        let token: AdminToken
        let standing: Standing
    }

    let rest: String
    /// With its scheme.
    let edge: String
    /// `nil` where its file was taken away after the first start.
    let admin: Admin?
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
            ] + adminLines + next + [""]
        return lines.joined(separator: "\n")
    }

    private var next: [String] {
        guard prohibition == nil else { return [] }
        return ["", "Try next:", ""] + commands.map { "  " + $0 }
    }

    private var adminLines: [String] {
        guard let admin else { return [] }
        let file = admin.token.file
        return switch admin.standing {
        case .shown:
            [
                "  admin    \(admin.token.secret.text)",
                "           shown this once; it is in \(file), and valid until it is revoked",
            ]
        case .valid: ["  admin    the token in \(file) is valid until it is revoked"]
        case .dead: ["  admin    the token in \(file) is not valid any more"]
        }
    }

    private var commands: [String] {
        let living = admin.flatMap { $0.standing == .dead ? nil : $0.token.file }
        let token = living.map { "$(cat \($0))" } ?? "plm_…"
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

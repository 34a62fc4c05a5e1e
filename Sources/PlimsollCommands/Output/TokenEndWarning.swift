import Foundation
import PlimsollDomain

/// That the token ends within two weeks, said once a day.
///
/// When it was said stands in the user's folder for caches, in a file named by the end. Where that
/// cannot be written nothing is said rather than the same with every command.
enum TokenEndWarning {
    private static let notice = Duration.seconds(14 * 86_400)

    static func give(_ end: Instant, at now: Instant = .now) {
        guard end < now.advanced(by: Self.notice), end > now, Output.isTalkative,
            noteOfToday(end, now)
        else { return }
        let days = (end.millisecondsSince1970 - now.millisecondsSince1970) / 86_400_000
        let time = days == 0 ? "within a day" : days == 1 ? "in 1 day" : "in \(days) days"
        Channel.standardError.write([
            "Warning: Your token ends \(time), on \(end). plimsoll token renew makes a new one of it."
        ])
    }

    /// Whether nothing was said today, which is noted now.
    private static func noteOfToday(_ end: Instant, _ now: Instant) -> Bool {
        guard let folder else { return false }
        let file = folder.appendingPathComponent("token-end-\(end.millisecondsSince1970)")
        let today = String(now.rfc3339.prefix(10))
        if let said = try? String(contentsOf: file, encoding: .utf8), said == today { return false }
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true
            )
            try Data(today.utf8).write(to: file, options: .atomic)
            return true
        } catch {
            return false
        }
    }

    /// As the XDG Base Directory Specification has it.
    private static var folder: URL? {
        let named = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let base = named ?? environment["HOME"].map { $0 + "/.cache" }
        return base.map { URL(fileURLWithPath: $0).appendingPathComponent("plimsoll") }
    }
}

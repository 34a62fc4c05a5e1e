import ArgumentParser
import PlimsollServer

/// How a program that goes on for long says what happens.
struct LogOptions: ParsableArguments {
    @Option(
        help: "How messages are logged, text or json: one object a line; PLIMSOLL_LOG_FORMAT."
    )
    var logFormat: String?

    func format() throws -> LogFormat {
        let named = logFormat ?? environment["PLIMSOLL_LOG_FORMAT"]
        guard let named, logFormat != nil || !named.isEmpty else { return .text }
        guard let format = LogFormat(rawValue: named) else {
            throw ValidationError("--log-format (PLIMSOLL_LOG_FORMAT) needs \(LogFormat.grammar).")
        }
        return format
    }
}

import ArgumentParser
import PlimsollAPI
import PlimsollAdmin
import PlimsollDomain

/// One of the two sides of a comparison.
enum DiffSide: Equatable, ExpressibleByArgument {
    case moment(DocumentMoment)
    case file(String)

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.count) {
        case ("live", 1): self = .moment(.live)
        case ("event", 2):
            guard let position = Position(argument: parts[1]) else { return nil }
            self = .moment(.event(position))
        case ("time", 2):
            guard let instant = Instant(rfc3339: parts[1]) else { return nil }
            self = .moment(.time(instant))
        case ("file", 2): self = .file(parts[1])
        default: return nil
        }
    }

    /// As it is written on the command line.
    var text: String {
        switch self {
        case .moment(.live): "live"
        case .moment(.event(let position)): "event:\(position)"
        case .moment(.time(let instant)): "time:\(instant)"
        case .file(let path): "file:\(path)"
        }
    }
}

import ArgumentParser
import PlimsollDomain

/// One of the two sides of a comparison.
enum DiffSide: Equatable, ExpressibleByArgument {
    /// What the service knows or knew.
    case state(StateName)
    case file(String)
    /// What phones are served.
    case url(String)

    init?(argument: String) {
        if argument.hasPrefix("http://") || argument.hasPrefix("https://") {
            self = .url(argument)
        } else if argument.hasPrefix("file:"), argument.utf8.count > 5 {
            self = .file(String(argument.dropFirst(5)))
        } else if let name = StateName(argument) {
            self = .state(name)
        } else {
            return nil
        }
    }

    /// As it is written on the command line.
    var text: String {
        switch self {
        case .state(let name): name.text
        case .file(let path): "file:\(path)"
        case .url(let url): url
        }
    }
}

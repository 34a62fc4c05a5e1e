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
        } else if let name = StateName(argument: argument) {
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

extension StateName: ExpressibleByArgument {
    /// As the service takes it; of a time also what people write for it: `time:yesterday`.
    init?(argument: String) {
        for start in ["time:", "rollback:time:"] where argument.hasPrefix(start) {
            guard let moment = try? WrittenMoment(String(argument.dropFirst(start.utf8.count)))
            else { return nil }
            self.init(start + moment.start.rfc3339)
            return
        }
        self.init(argument)
    }
}

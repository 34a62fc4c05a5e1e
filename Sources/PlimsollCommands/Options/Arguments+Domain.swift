import ArgumentParser
import PlimsollDomain

// How values of the domain are written on the command line: as everywhere else.

extension AppSlug: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension Platform: ExpressibleByArgument {}

extension WebhookFormat: ExpressibleByArgument {}

extension Position: ExpressibleByArgument {
    init?(argument: String) {
        guard let number = Int64(argument) else { return nil }
        self.init(rawValue: number)
    }
}

extension Instant: ExpressibleByArgument {
    init?(argument: String) { self.init(rfc3339: argument) }
}

extension Field: ExpressibleByArgument {
    init?(argument: String) { self.init(path: argument) }
}

extension ChangeID: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension ChangeState: ExpressibleByArgument {}

extension ChangeDigest: ExpressibleByArgument {
    init?(argument: String) { self.init(hex: argument) }
}

extension LanguageTag: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension KeyID: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension TokenID: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension WebhookID: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension DocumentProfile: ExpressibleByArgument {}

extension PrinceClients: ExpressibleByArgument {}

import Glibc
import NIOCore
import PlimsollSystem
import ServiceLifecycle

/// Why nobody can be heard at an address: which setting names it, and what to do.
package struct ListenFailure: Error, Equatable, CustomStringConvertible {
    /// The setting that an address stands in, as it is given.
    package struct Setting: Equatable, Sendable {
        let option: String
        let variable: String?

        package init(_ option: String, or variable: String? = nil) {
            self.option = option
            self.variable = variable
        }

        static let rest = Setting("--listen", or: "PLIMSOLL_LISTEN")
        static let health = Setting("--health-listen", or: "PLIMSOLL_HEALTH_LISTEN")
        static let phones = Setting("--public-listen", or: "PLIMSOLL_PUBLIC_LISTEN")
        static let edge = Setting("--listen")
        static let stats = Setting("--stats")
    }

    package let description: String

    /// `nil` for an error that is no answer to a listener's first wish.
    package init?(_ error: any Error, of setting: Setting, at address: ListenAddress) {
        guard let cause = Self.cause(error, address) else { return nil }
        let name = setting.option + (setting.variable.map { " (\($0))" } ?? "")
        description =
            "Nothing can listen at \(address), which \(setting.option) names: \(cause), or choose"
            + " another address with \(name)."
    }

    private static func cause(_ error: any Error, _ address: ListenAddress) -> String? {
        if error is SocketAddressError.UnknownHost { return unknownHost }
        let failure = error as? SocketFailure
        if let failure, failure.code == nil { return unknownHost }
        return switch failure?.code ?? (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            "the port is taken. End the process that listens there (ss -ltnp names it)"
        case EACCES, EPERM:
            "this account may not use the port. Let it (ports below 1024 need the capability"
                + " CAP_NET_BIND_SERVICE)"
        case EADDRNOTAVAIL: "this machine does not have the address. Give it to the machine"
        default: nil
        }
    }

    private static let unknownHost =
        "the host has no address. Have its name resolved on this machine"
}

/// A listener whose error names the setting that has to change.
struct Listening<Listener: Service>: Service {
    let listener: Listener
    let setting: ListenFailure.Setting
    let address: ListenAddress

    func run() async throws {
        do {
            try await listener.run()
        } catch {
            throw ListenFailure(error, of: setting, at: address) ?? error
        }
    }
}

extension Service {
    /// The same listener, with errors that name the setting its address is from.
    func named(_ setting: ListenFailure.Setting, _ address: ListenAddress) -> any Service {
        Listening(listener: self, setting: setting, address: address)
    }
}

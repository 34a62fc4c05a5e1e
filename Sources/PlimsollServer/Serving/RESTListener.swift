import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import PlimsollConsole
import PlimsollEdge
import PlimsollHTTP
import PlimsollStore
import PlimsollSystem
import ServiceLifecycle

/// What the administration grants those who connect.
struct RESTLimits {
    var patience = Timeouts()
    /// Each takes a file that the edge may need, and phones come before administrators; still,
    /// whoever follows the record keeps one.
    var places = Places.Limits()
}

/// The listener of the administration.
struct RESTListener: Service {
    private let address: ListenAddress
    private let dependencies: Dependencies
    private let limits: RESTLimits
    let places: Places
    private let logger: Logger
    private let bound = OneShot<ListenAddress>()

    init(
        _ address: ListenAddress,
        dependencies: Dependencies,
        limits: RESTLimits = RESTLimits(),
        logger: Logger
    ) {
        self.address = address
        self.dependencies = dependencies
        self.limits = limits
        places = Places(limits.places)
        self.logger = logger
    }

    /// Where it listens, once it does.
    func boundAddress() async throws -> ListenAddress {
        try await bound.value
    }

    func run() async throws {
        let (address, bound) = (address, bound)
        let application = Application(
            responder: Console(dependencies: dependencies, know: places.know),
            server: .administration(
                places,
                limits.patience,
                stopSignal: dependencies.stopSignal
            ) { [useCases = dependencies.useCases] in
                useCases.principal(of: $0)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port),
                serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    limits.places.connections
                )
            ),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? address.port
                bound.settle(.success(ListenAddress(host: address.host, port: port)))
            },
            logger: logger
        )
        try await application.run()
    }
}

/// Answers those who watch over the process, at an address that phones do not reach: what an edge
/// of its own has counted, or how the service does.
struct WatchListener: Service {
    let address: ListenAddress
    /// What is shown there, as the log says it.
    let name: String
    /// How many may look at a time: those who look at an edge are few, and each takes a file that a
    /// phone may need.
    var places = Places.Limits(strangers: 16, known: 0)
    let logger: Logger
    /// What it answers; nobody has to say who they are.
    let router: @Sendable () -> Router<PlimsollContext>

    /// What an edge has counted.
    static func stats(
        _ address: ListenAddress,
        _ metrics: MetricsRegistry,
        logger: Logger
    ) -> WatchListener {
        WatchListener(address: address, name: "stats", logger: logger) {
            let router = Router(context: PlimsollContext.self, options: .autoGenerateHeadEndpoints)
            router.get("metrics") { _, _ in metrics.response }
            return router
        }
    }

    func run() async throws {
        let (address, name, logger) = (address, name, logger)
        let application = Application(
            router: router(),
            server: .administration(Places(places)),
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port),
                serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    places.connections
                )
            ),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? address.port
                let bound = ListenAddress(host: address.host, port: port)
                logger.info("shown to those who watch", metadata: ["\(name).bound": "\(bound)"])
            },
            logger: logger
        )
        try await application.run()
    }
}

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
        static let origin = Setting("--origin-listen", or: "PLIMSOLL_ORIGIN_LISTEN")
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

/// Runs a service for as long as the log may grow; where it may not, there is nothing for it to do.
struct Permitted<Wrapped: Service>: Service {
    let writer: Writer
    let service: Wrapped

    func run() async throws {
        if writer.prohibition == nil { try await runUntilForbidden() }
        guard writer.prohibition != nil else { return }
        try await watchUntilShutdown { try await gracefulShutdown() }
    }

    private func runUntilForbidden() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask(name: "permitted") { try await service.run() }
            group.addTask(name: "permission") { try await writer.memory.whenForbidden() }
            defer { group.cancelAll() }
            do {
                try await group.next()
            } catch  where writer.prohibition != nil {
                // It was in the midst of something that cannot be done any more.
                return
            }
        }
    }
}

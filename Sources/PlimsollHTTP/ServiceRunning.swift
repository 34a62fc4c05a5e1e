package import Logging
package import ServiceLifecycle
import UnixSignals

/// Runs services until a signal comes or one of them ends; they stop in reverse.
///
/// Each is named by its type. Given no name, the library makes one of all that the service holds,
/// passwords among it, for its log, which takes 40 ms of processor time at each start.
package func runServices(
    _ services: [any Service],
    whenOneFails: ServiceGroupConfiguration.ServiceConfiguration.TerminationBehavior = .cancelGroup,
    logger: Logger
) async throws {
    let configuration = ServiceGroupConfiguration(
        services: services.map { service in
            ServiceGroupConfiguration.ServiceConfiguration(
                service: service,
                failureTerminationBehavior: whenOneFails,
                serviceName: "\(type(of: service))"
            )
        },
        gracefulShutdownSignals: [.sigterm, .sigint],
        logger: logger
    )
    try await ServiceGroup(configuration: configuration).run()
}

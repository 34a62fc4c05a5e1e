import Logging
import PlimsollDomain
import PlimsollEdge
import PlimsollStore
import PlimsollService
import ServiceLifecycle

/// What is done once everything runs: let the first administrator in, seed the sample if that was
/// asked for, and say where to go.
///
/// Only then is the service ready.
struct Opening: Service {
    private let configuration: ServerConfiguration
    private let useCases: UseCases
    private let writer: Writer
    private let rest: RESTListener
    private let front: Front
    private let logger: Logger
    private let admitted: Gate
    private let showsToken: Bool
    private let show: @Sendable (Announcement) -> Void

    private static let retryDelay: Duration = .milliseconds(250)

    init(
        _ configuration: ServerConfiguration,
        useCases: UseCases,
        writer: Writer,
        rest: RESTListener,
        front: Front,
        admitted: Gate,
        showsToken: Bool,
        logger: Logger,
        show: @escaping @Sendable (Announcement) -> Void
    ) {
        self.configuration = configuration
        self.useCases = useCases
        self.writer = writer
        self.rest = rest
        self.front = front
        self.admitted = admitted
        self.showsToken = showsToken
        self.logger = logger
        self.show = show
    }

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await openWhenPossible() }
            try await gracefulShutdown()
        } catch is CancellationError {
            return
        }
    }

    /// A database that is away in the middle delays the opening; every step of it may be repeated.
    private func openWhenPossible() async throws {
        while true {
            do {
                return try await open()
            } catch UseCaseError.storeAway {
                logger.notice("the database is away, the opening waits for it")
                try await Task.sleep(for: Self.retryDelay)
            }
        }
    }

    private func open() async throws {
        try await writer.whenOpen()
        while await !useCases.hasCaughtUp() { try Task.checkCancellation() }
        try await useCases.forgetErasedNames()
        try await useCases.forgetReservedNames()
        let isFirst = writer.world.position == .start && writer.prohibition == nil
        let token =
            isFirst
            ? try AdminToken.prepare(in: configuration.adminToken)
            : try AdminToken.kept(in: configuration.adminToken)
        if let token, writer.prohibition == nil {
            try await useCases.admitFirstAdministrator(token.secret)
        }
        var sample: AppSlug?
        if configuration.seedsSample, writer.prohibition == nil {
            sample = try await SampleApp(useCases: useCases, writer: writer).seed()
        }
        let announcement = Announcement(
            rest: try await rest.boundAddress().description,
            edge: try await front.edge.url(),
            admin: try token.map { try admin($0, isFirst: isFirst) },
            sample: sample,
            prohibition: writer.prohibition?.sentence
        )
        admitted.open()
        show(announcement)
    }

    private func admin(_ token: AdminToken, isFirst: Bool) throws -> Announcement.Admin {
        guard try useCases.authenticate(secret: token.secret.text) != nil else {
            return Announcement.Admin(token: token, standing: .dead)
        }
        return Announcement.Admin(token: token, standing: isFirst && showsToken ? .shown : .valid)
    }
}

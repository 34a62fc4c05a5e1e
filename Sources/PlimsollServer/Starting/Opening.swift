import Logging
import PlimsollDomain
import PlimsollEdge
import PlimsollStore
import PlimsollUseCases
import ServiceLifecycle

/// What is done once everything runs: let the first administrator in, seed the sample if that was
/// asked for, and say where to go.
struct Opening: Service {
    private let configuration: ServerConfiguration
    private let useCases: UseCases
    private let writer: Writer
    private let rest: RESTListener
    private let front: Front
    private let logger: Logger
    private let show: @Sendable (Announcement) -> Void

    private static let retryDelay: Duration = .milliseconds(250)

    init(
        _ configuration: ServerConfiguration,
        useCases: UseCases,
        writer: Writer,
        rest: RESTListener,
        front: Front,
        logger: Logger,
        show: @escaping @Sendable (Announcement) -> Void
    ) {
        self.configuration = configuration
        self.useCases = useCases
        self.writer = writer
        self.rest = rest
        self.front = front
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
        let token = try adminToken()
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
            adminToken: token,
            sample: sample,
            prohibition: writer.prohibition?.sentence
        )
        show(announcement)
    }

    /// On the first start the token is made; later it is only read.
    private func adminToken() throws -> AdminToken? {
        guard writer.world.position == .start, writer.prohibition == nil else {
            return try AdminToken.kept(in: configuration.adminToken)
        }
        return try AdminToken.prepare(in: configuration.adminToken)
    }
}

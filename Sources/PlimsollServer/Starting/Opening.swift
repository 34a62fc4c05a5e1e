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
    private let show: @Sendable (Announcement) -> Void

    init(
        _ configuration: ServerConfiguration,
        useCases: UseCases,
        writer: Writer,
        rest: RESTListener,
        front: Front,
        show: @escaping @Sendable (Announcement) -> Void
    ) {
        self.configuration = configuration
        self.useCases = useCases
        self.writer = writer
        self.rest = rest
        self.front = front
        self.show = show
    }

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await open() }
            try await gracefulShutdown()
        } catch is CancellationError {
            return
        }
    }

    private func open() async throws {
        try await writer.whenOpen()
        while await !useCases.hasCaughtUp() { try Task.checkCancellation() }
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
            edge: try await front.edge.address().description,
            adminToken: token,
            sample: sample,
            prohibition: writer.prohibition
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

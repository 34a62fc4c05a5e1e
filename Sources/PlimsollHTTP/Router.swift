import HTTPTypes
package import Hummingbird
package import PlimsollAPI
package import PlimsollService

/// What the administration needs to do its work.
package struct Dependencies: Sendable {
    package let useCases: UseCases
    /// What `/metrics` shows; the same that the process was told to measure with.
    package let metrics: MetricsRegistry

    /// The verifier key of the transparency log, as text; `nil` before it is published.
    package let logKey: @Sendable () async -> String?

    /// What the edges that follow this instance say.
    package let edges: @Sendable () -> EdgeReport

    /// Whether the first administrator was let in, and everything else was done that a start does.
    package let isOpened: @Sendable () -> Bool

    /// Whether the service is about to stop.
    package let stopSignal: StopSignal

    /// What each principal may still ask for.
    package let allowances: Allowances

    /// What Apple signs its notifications with.
    package let notificationSecrets: NotificationSecrets

    package init(
        useCases: UseCases,
        metrics: MetricsRegistry = MetricsRegistry(),
        logKey: @escaping @Sendable () async -> String? = { nil },
        edges: @escaping @Sendable () -> EdgeReport = { .ofNobody },
        isOpened: @escaping @Sendable () -> Bool = { true },
        stopSignal: StopSignal = StopSignal(),
        limits: Allowances.Limits = Allowances.Limits(),
        notificationSecrets: NotificationSecrets = NotificationSecrets([])
    ) {
        self.notificationSecrets = notificationSecrets
        allowances = Allowances(limits)
        self.edges = edges
        self.isOpened = isOpened
        self.stopSignal = stopSignal
        self.logKey = logKey
        self.useCases = useCases
        self.metrics = metrics
    }

    /// Whether the service is ready; where it is not, `/readyz` says why.
    var isReady: Bool { !stopSignal.isUp && useCases.readiness == .ready && isOpened() }
}

/// The routes of the administration, each behind what every request has to pass.
///
/// In this order, from outside: a request gets its name (``RequestNaming``), is counted and timed
/// (``RequestMetrics``) and written down (``RequestLogging``); its answer gets the headers that
/// keep it safe (``SecurityHeaders``), and below `/v1` the one that says that the service reads only
/// (``ReadOnlyMarking``), refusals included, because errors become problems only inside of that
/// (``ProblemAnswering``). What could be read in two ways ends there (``RequestShape``), and so does
/// `OPTIONS` (``MethodListing``). Below `/v1` follow who asks
/// (``Authentication``), whether others wait for them (``FairShare``), how much they may send
/// (``RequestBodyLimit``), how much of the record has to be known (``PositionMarking``) and in what
/// form they are answered (``Negotiation``).
package func buildRouter(dependencies: Dependencies) -> Router<PlimsollContext> {
    let router = Router(context: PlimsollContext.self, options: .autoGenerateHeadEndpoints)
    router.addObservation()
    router.add(middleware: SecurityHeaders.interface)
    addEndpoints(to: router, dependencies)
    return router
}

extension Router<PlimsollContext> {
    /// Has each request named, counted, timed and written down.
    package func addObservation() {
        add(middleware: RequestNaming())
        add(middleware: RequestMetrics())
        add(middleware: RequestLogging())
    }
}

extension Router<PlimsollContext> {
    /// Has every error answered as a problem where nothing of the interface is.
    package func addProblems() {
        add(middleware: RequestNaming())
        add(middleware: ProblemAnswering(table: RouteTable(routes: [])))
    }
}

private func addEndpoints(to router: Router<PlimsollContext>, _ dependencies: Dependencies) {
    let useCases = dependencies.useCases
    router.add(middleware: ReadOnlyMarking(useCases: useCases))
    router.add(middleware: ProblemAnswering(table: .service))
    router.add(middleware: RequestShape())
    router.add(middleware: MethodListing(table: .service))
    let open = openHandlers(dependencies)
    add(open, to: router)
    let handlers = callerHandlers(dependencies)
    for handler in handlers {
        administration(of: router, answering: handler.facts, dependencies).on(
            RouterPath(String(handler.facts.routerPath.dropFirst("/v1".count))),
            method: handler.facts.httpMethod,
            use: handler.respond
        )
    }
    let unmatched = RouteTable.service.unmatched(by: (open.map(\.facts) + handlers.map(\.facts)))
    precondition(unmatched.isEmpty, "without a handler, or twice: \(unmatched)")
}

/// The same routes for who is in this process and has the caller established already; what they ask
/// is part of a request that was observed.
func buildInnerRouter(_ dependencies: Dependencies) -> Router<PlimsollContext> {
    let router = Router(context: PlimsollContext.self)
    addEndpoints(to: router, dependencies)
    return router
}

private func add(
    _ handlers: [EndpointHandler<PlimsollContext>],
    to router: Router<PlimsollContext>
) {
    for handler in handlers {
        router.on(
            RouterPath(handler.facts.routerPath),
            method: handler.facts.httpMethod,
            use: handler.respond
        )
    }
}

/// What is answered to whoever asks.
private func openHandlers(
    _ dependencies: Dependencies
) -> [EndpointHandler<PlimsollContext>] {
    HealthController(dependencies).handlers + [
        MetricsController(dependencies).handler,
        DocumentationController(.service).handler, ProblemController().handler,
        NotificationController(
            useCases: dependencies.useCases,
            secrets: dependencies.notificationSecrets
        ).handler,
    ]
}

/// What is answered to those who say who they are.
private func callerHandlers(_ dependencies: Dependencies) -> [EndpointHandler<CallerContext>] {
    let useCases = dependencies.useCases
    let parts: [[EndpointHandler<CallerContext>]] = [
        AppController(useCases: useCases).handlers,
        SettingsController(useCases: useCases).handlers,
        ChangeController(useCases: useCases).handlers,
        DocumentController(useCases: useCases).handlers,
        SimulationController(useCases: useCases).handlers,
        ReleaseController(useCases: useCases).handlers,
        MarketplaceController(useCases: useCases).handlers,
        KeptNotificationController(useCases: useCases).handlers,
        AccountController(useCases: useCases).handlers,
        SharesController(useCases: useCases).handlers,
        RollbackController(useCases: useCases).handlers,
        FreezeController(useCases: useCases).handlers,
        PolicyController(useCases: useCases).handlers,
        EmergencyController(useCases: useCases).handlers,
        ReviewController(useCases: useCases).handlers,
        EventController(useCases: useCases).handlers,
        LogController(useCases: useCases, key: dependencies.logKey).handlers,
        PublicationController(useCases: useCases).handlers,
        EdgeController(useCases: useCases, report: dependencies.edges).handlers,
        KeyController(useCases: useCases).handlers,
        AccessController(useCases: useCases).handlers,
        WebhookController(useCases: useCases).handlers,
    ]
    return parts.flatMap { $0 }
}

/// `/healthz` and `/readyz` alone, for a listener that nobody else comes to.
package func buildHealthRouter(dependencies: Dependencies) -> Router<PlimsollContext> {
    let router = Router(context: PlimsollContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: RequestNaming())
    router.add(middleware: SecurityHeaders.interface)
    router.add(middleware: ProblemAnswering(table: .health))
    router.add(middleware: RequestShape())
    add(HealthController(dependencies).handlers, to: router)
    return router
}

/// Tools that fetch files know addresses, not `Accept`: they get the bytes whatever they accept.
private func administration(
    of router: Router<PlimsollContext>,
    answering endpoint: EndpointFacts,
    _ dependencies: Dependencies
) -> RouterGroup<CallerContext> {
    let group = router.group("v1")
        .add(middleware: Authentication(useCases: dependencies.useCases))
        .add(middleware: FairShare(allowances: dependencies.allowances))
        .add(middleware: RequestBodyLimit())
        .add(middleware: PositionMarking(useCases: dependencies.useCases))
    guard !endpoint.isFile else { return group.group(context: CallerContext.self) }
    return group.add(middleware: Negotiation(offers: endpoint.forms))
        .group(context: CallerContext.self)
}

/// Endpoints as an address leads to them.
struct RouteTable {
    let routes: [EndpointFacts]

    static let service = RouteTable(routes: Endpoints.all)

    /// What is answered at an address of its own as well.
    static let health = RouteTable(
        routes: [Endpoints.getHealth.facts, Endpoints.getReadiness.facts]
    )

    /// The methods that lead somewhere at the path, or `nil` where nothing is.
    func methods(at path: String) -> [String]? {
        let found = routes.filter { $0.leads(from: path) }.map(\.httpMethod)
        guard !found.isEmpty else { return nil }
        let heads: [HTTPRequest.Method] = found.contains(.get) ? [.head] : []
        return Set(found + heads + [.options]).map(\.rawValue).sorted()
    }

    /// The names of endpoints that nobody answers, or more than one, or that are not in the table.
    func unmatched(by handled: [EndpointFacts]) -> [String] {
        let known = routes.map(\.name)
        let counts = Dictionary(grouping: handled.map(\.name), by: \.self).mapValues(\.count)
        return known.filter { counts[$0] != 1 } + Set(counts.keys).subtracting(known).sorted()
    }
}

extension EndpointFacts {
    var httpMethod: HTTPRequest.Method {
        switch method {
        case .get: .get
        case .head: .head
        case .post: .post
        case .put: .put
        case .delete: .delete
        }
    }

    /// The path as the router writes it.
    var routerPath: String {
        guard isDeep, let end = path.lastIndex(of: "/") else { return path }
        return path[..<end] + "/**"
    }

    /// Whether the path leads here; nothing between two slashes is a segment too.
    func leads(from path: String) -> Bool {
        let own = self.path.split(separator: "/", omittingEmptySubsequences: false)
        var asked = path.split(separator: "/", omittingEmptySubsequences: false)
        if asked.count > 2, asked.last == "" { asked.removeLast() }
        return (isDeep ? own.count <= asked.count : own.count == asked.count)
            && zip(own, asked).allSatisfy { $0 == $1 || $0.hasPrefix("{") && !$1.isEmpty }
    }
}

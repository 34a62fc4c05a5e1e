package import Hummingbird
package import PlimsollService

/// What the administration needs to do its work.
package struct Dependencies: Sendable {
    package let useCases: UseCases
    /// What `/metrics` shows; the same that the process was told to measure with.
    package let metrics: MetricsRegistry

    /// The verifier key of the transparency log, as text; `nil` before it is published.
    package let logKey: @Sendable () async -> String?

    /// Whether the first administrator was let in, and everything else was done that a start does.
    package let isOpened: @Sendable () -> Bool

    /// What each principal may still ask for.
    package let allowances: Allowances

    package init(
        useCases: UseCases,
        metrics: MetricsRegistry = MetricsRegistry(),
        logKey: @escaping @Sendable () async -> String? = { nil },
        isOpened: @escaping @Sendable () -> Bool = { true },
        limits: Allowances.Limits = Allowances.Limits()
    ) {
        allowances = Allowances(limits)
        self.isOpened = isOpened
        self.logKey = logKey
        self.useCases = useCases
        self.metrics = metrics
    }
}

/// The routes of the administration, each behind what every request has to pass.
///
/// In this order, from outside: a request gets its name (``RequestNaming``), is counted and timed
/// (``RequestMetrics``) and written down (``RequestLogging``); its answer gets the headers that
/// keep it safe (``SecurityHeaders``), and below `/v1` the one that says that the service reads only
/// (``ReadOnlyMarking``), refusals included, because errors become problems only inside of that
/// (``ProblemAnswering``). What could be read in two ways ends there (``RequestShape``), and so does
/// `OPTIONS` (``MethodListing``). Below `/v1` follow who asks
/// (``Authentication``), whether others wait for them (``FairShare``), how much they may send (``RequestBodyLimit``) and in what form they are
/// answered (``Negotiation``).
package func buildRouter(dependencies: Dependencies) -> Router<PlimsollContext> {
    let (useCases, table) = (dependencies.useCases, RouteTable.service)
    let router = Router(context: PlimsollContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: RequestNaming())
    router.add(middleware: RequestMetrics())
    router.add(middleware: RequestLogging())
    router.add(middleware: SecurityHeaders())
    router.add(middleware: ReadOnlyMarking(useCases: useCases))
    router.add(middleware: ProblemAnswering(table: table))
    router.add(middleware: RequestShape())
    router.add(middleware: MethodListing(table: table))
    router.addRoutes(HealthController(dependencies).routes)
    router.addRoutes(MetricsController(registry: dependencies.metrics, useCases: useCases).routes)
    router.addRoutes(DocumentationController(table).routes)
    router.addRoutes(ProblemController().routes)
    let events = EventController(useCases: useCases)
    administration(of: router, answering: EventController.listForms, dependencies)
        .addRoutes(events.lists)
    administration(of: router, answering: EventController.eventForms, dependencies)
        .addRoutes(events.events)
    let log = LogController(useCases: useCases, key: dependencies.logKey)
    administration(of: router, dependencies)
        .group(context: CallerContext.self)
        .addRoutes(log.files)
    administration(of: router, answering: [.plainText], dependencies)
        .addRoutes(log.proofs)
    administration(of: router, answering: [.json], dependencies)
        .addRoutes(AppController(useCases: useCases).routes)
        .addRoutes(SettingsController(useCases: useCases).routes)
        .addRoutes(ChangeController(useCases: useCases).routes)
        .addRoutes(ScheduleController(useCases: useCases).routes)
        .addRoutes(DocumentController(useCases: useCases).routes)
        .addRoutes(PrinceOfVersionsController(useCases: useCases).routes)
        .addRoutes(SimulationController(useCases: useCases).routes)
        .addRoutes(ReleaseController(useCases: useCases).routes)
        .addRoutes(SharesController(useCases: useCases).routes)
        .addRoutes(RollbackController(useCases: useCases).routes)
        .addRoutes(FreezeController(useCases: useCases).routes)
        .addRoutes(PolicyController(useCases: useCases).routes)
        .addRoutes(EmergencyController(useCases: useCases).routes)
        .addRoutes(ReviewController(useCases: useCases).routes)
        .addRoutes(CheckController(useCases: useCases).routes)
        .addRoutes(PublicationController(useCases: useCases).routes)
        .addRoutes(KeyController(useCases: useCases).routes)
        .addRoutes(AccessController(useCases: useCases).routes)
        .addRoutes(WebhookController(useCases: useCases).routes)
    return router
}

/// `/healthz` and `/readyz` alone, for a listener that nobody else comes to.
package func buildHealthRouter(dependencies: Dependencies) -> Router<PlimsollContext> {
    let router = Router(context: PlimsollContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: RequestNaming())
    router.add(middleware: SecurityHeaders())
    router.add(middleware: ProblemAnswering(table: .health))
    router.add(middleware: RequestShape())
    router.addRoutes(HealthController(dependencies).routes)
    return router
}

private func administration(
    of router: Router<PlimsollContext>,
    answering offers: [MediaType],
    _ dependencies: Dependencies
) -> RouterGroup<CallerContext> {
    administration(of: router, dependencies)
        .add(middleware: Negotiation(offers: offers))
        .group(context: CallerContext.self)
}

private func administration(
    of router: Router<PlimsollContext>,
    _ dependencies: Dependencies
) -> RouterGroup<PlimsollContext> {
    router.group("v1")
        .add(middleware: Authentication(useCases: dependencies.useCases))
        .add(middleware: FairShare(allowances: dependencies.allowances))
        .add(middleware: RequestBodyLimit())
}

package import Hummingbird
import PlimsollUseCases

/// The routes of the administration, each behind what every request has to pass.
///
/// In this order, from outside: a request gets its name (``RequestNaming``), is counted and timed
/// (``RequestMetrics``) and written down (``RequestLogging``); its answer gets the headers that
/// keep it safe (``SecurityHeaders``), and below `/v1` the one that says that the service reads only
/// (``ReadOnlyMarking``), refusals included, because errors become problems only inside of that
/// (``ProblemAnswering``). `OPTIONS` ends there (``MethodListing``). Below `/v1` follow who asks
/// (``Authentication``), how much they may send (``RequestBodyLimit``) and in what form they are
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
    router.add(middleware: MethodListing(table: table))
    router.addRoutes(HealthController(dependencies).routes)
    router.addRoutes(MetricsController(registry: dependencies.metrics, useCases: useCases).routes)
    router.addRoutes(DocumentationController(table).routes)
    router.addRoutes(ProblemController().routes)
    let events = EventController(useCases: useCases)
    administration(of: router, answering: EventController.listForms, useCases)
        .addRoutes(events.lists)
    administration(of: router, answering: EventController.eventForms, useCases)
        .addRoutes(events.events)
    let log = LogController(useCases: useCases, key: dependencies.logKey)
    administration(of: router, useCases)
        .group(context: CallerContext.self)
        .addRoutes(log.files)
    administration(of: router, answering: [.plainText], useCases)
        .addRoutes(log.proofs)
    administration(of: router, answering: [.json], useCases)
        .addRoutes(AppController(useCases: useCases).routes)
        .addRoutes(SettingsController(useCases: useCases).routes)
        .addRoutes(ChangeController(useCases: useCases).routes)
        .addRoutes(ScheduleController(useCases: useCases).routes)
        .addRoutes(DocumentController(useCases: useCases).routes)
        .addRoutes(PrinceController(useCases: useCases).routes)
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

private func administration(
    of router: Router<PlimsollContext>,
    answering offers: [MediaType],
    _ useCases: UseCases
) -> RouterGroup<CallerContext> {
    administration(of: router, useCases)
        .add(middleware: Negotiation(offers: offers))
        .group(context: CallerContext.self)
}

private func administration(
    of router: Router<PlimsollContext>,
    _ useCases: UseCases
) -> RouterGroup<PlimsollContext> {
    router.group("v1")
        .add(middleware: Authentication(useCases: useCases))
        .add(middleware: RequestBodyLimit())
}

/// What every series says, for whoever meets it in a dashboard; the names are the labels in the code.
enum SeriesHelp {
    /// By the family's name as Prometheus writes it, without the suffix of its kind.
    static let byFamily = Dictionary(
        uniqueKeysWithValues: byLabel.map { (SeriesName($0.key, []).family, $0.value) }
    )

    static let byLabel = [
        "plimsoll.audit.reads": "Reads of the event log, by format.",
        "plimsoll.build.info": "Always 1; the labels say which program runs.",
        "plimsoll.certificate.remaining.seconds":
            "Seconds until the certificate that phones are served with ends.",
        "plimsoll.connections.open": "Connections that phones have open now.",
        "plimsoll.courier.active": "1 in the process that sends events to webhooks.",
        "plimsoll.exporter.active": "1 in the process that publishes.",
        "plimsoll.http.request.duration":
            "Time to answer a request of the administration, by method, route and status.",
        "plimsoll.http.requests":
            "Requests that the administration answered, by method, route and status.",
        "plimsoll.log.checkpoint.failing":
            "1 while the transparency log cannot be published.",
        "plimsoll.log.checkpoint.size": "Events that the newest published checkpoint covers.",
        "plimsoll.log.clock.stepped_back": "Times the clock was found behind the last event.",
        "plimsoll.log.commands": "Commands that the writer decided.",
        "plimsoll.log.conflicts":
            "Appends that another process overtook and that were decided again.",
        "plimsoll.log.read_only":
            "1 while the service only reads, because the database is not what was published.",
        "plimsoll.pool.sessions.closed": "Database sessions that were closed, by reason.",
        "plimsoll.pool.sessions.connect_failed": "Attempts to connect to the database that failed.",
        "plimsoll.pool.sessions.connected": "Database sessions that were opened.",
        "plimsoll.pool.sessions.idle": "Database sessions that nobody uses now.",
        "plimsoll.pool.sessions.in_use": "Database sessions that are used now.",
        "plimsoll.pool.sessions.waited": "Time that tasks waited for a database session.",
        "plimsoll.pool.tasks.waiting": "Tasks that wait for a database session now.",
        "plimsoll.renewal.withheld":
            "1 while an app's documents are not renewed because the clock is not to be trusted.",
        "plimsoll.requests.answered": "Requests of phones that were answered, by status.",
        "plimsoll.reviews.open": "Reviews of emergencies that are still to be closed.",
        "plimsoll.reviews.overdue": "Reviews of emergencies that should have been closed by now.",
        "plimsoll.schedule.delay": "Time between a schedule's moment and its act.",
        "plimsoll.schedules.failed": "Scheduled acts that failed; they are tried again.",
        "plimsoll.schedules.kept": "Scheduled changes that were applied, ended or suspended.",
        "plimsoll.signer.duration": "Time to sign, by key.",
        "plimsoll.signer.failures": "Signatures that could not be made, by key.",
        "plimsoll.sink.duration": "Time to publish to a store or cache, by its name.",
        "plimsoll.sink.failed": "Publications that a store or cache did not take, by its name.",
        "plimsoll.sink.failing":
            "1 while a store or cache does not have an app's newest documents.",
        "plimsoll.sink.taken": "Publications that a store or cache took, by its name.",
        "plimsoll.snapshot.age.seconds":
            "Seconds since the change or renewal that made the documents an app's phones get.",
        "plimsoll.snapshot.failing": "1 while an app's newest documents cannot be published.",
        "plimsoll.snapshot.publication.duration": "Time to publish a snapshot.",
        "plimsoll.snapshot.sequence": "Sequence of the snapshot that an app's phones get.",
        "plimsoll.snapshots.failed": "Publications that failed; they are tried again.",
        "plimsoll.snapshots.loaded": "Snapshots that the edge verified and serves.",
        "plimsoll.snapshots.published": "Snapshots that were published.",
        "plimsoll.snapshots.refused":
            "Snapshots that the edge found and does not serve, because a check failed.",
        "plimsoll.webhook.attempt.duration": "Time of an attempt to deliver to a webhook.",
        "plimsoll.webhook.attempts": "Attempts to deliver to webhooks, by kind and outcome.",
        "plimsoll.webhook.failing": "1 while nothing can be delivered to a webhook.",
        "plimsoll.webhooks.given_up": "Webhooks that were disabled after failing for too long.",
    ]
}

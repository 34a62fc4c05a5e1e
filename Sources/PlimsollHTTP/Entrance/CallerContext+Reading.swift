import Hummingbird
import Logging
import Metrics
import PlimsollAPI
import PlimsollDomain
import PlimsollService

extension CallerContext {
    /// Who looks into the record is itself written down, though not in the record.
    func noteReading(_ request: Request, as form: MediaType? = nil) {
        Counter(
            label: "plimsoll.audit.reads",
            dimensions: [("form", (form ?? format).rawValue)]
        ).increment()
        logger.notice(
            "The record was read",
            metadata: [
                "principal": .string(caller.principal.text),
                "path": .string(request.uri.path),
                "query": .string(request.uri.query ?? ""),
            ]
        )
    }
}

import Foundation
package import Hummingbird
import Logging
import Metrics
import PlimsollAPI
import PlimsollDomain
package import PlimsollService

/// What is known of a request before anybody has been asked who they are.
package struct PlimsollContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The name under which the log and the answer know the request.
    package internal(set) var requestID: String
    /// The trace that the request is part of.
    var trace = Trace()
    /// Who asks, once the token has been looked at.
    package internal(set) var caller: Caller?
    /// What the answer is to be written in.
    var format = ContentType.json

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        requestID = UUID().uuidString.lowercased()
    }

    package var maxUploadSize: Int { RequestBodyLimit.bytesMaximum }
}

/// What is known of a request whose caller has been established.
///
/// Routes that need somebody take this context, so that one without a caller does not compile.
struct CallerContext: ChildRequestContext {
    var coreContext: CoreRequestContextStorage
    let requestID: String
    let trace: Trace
    let caller: Caller
    let format: ContentType

    init(context: PlimsollContext) throws {
        guard let caller = context.caller else { throw Problem.unauthenticated }
        coreContext = context.coreContext
        requestID = context.requestID
        trace = context.trace
        self.caller = caller
        format = context.format
    }

    var maxUploadSize: Int { RequestBodyLimit.bytesMaximum }
}

extension CallerContext {
    /// Who looks into the record is itself written down, though not in the record.
    func noteReading(_ request: Request, as form: ContentType? = nil) {
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

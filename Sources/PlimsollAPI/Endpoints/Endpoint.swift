package import PlimsollDomain
import PlimsollJSON

/// A request that the service answers, declared once: the service registers a handler for it, the
/// admin client sends it, and the description of the interface is made from it.
///
/// Its types say what its address names, what its caller has to have seen, what it takes and what it
/// answers.
package struct Endpoint<
    Names: PathNames,
    Seen: Precondition,
    Body: Sendable,
    Outcome: Sendable
>: EndpointDeclaration {
    package let facts: EndpointFacts
}

/// An endpoint whose types do not matter to whoever describes it.
package protocol EndpointDeclaration: Sendable {
    var facts: EndpointFacts { get }
}

/// The body of a request that has none.
package enum NoBody: Sendable {}

/// An answer that is no JSON, or a stream of it: bytes as they come.
package enum Bytes: Sendable {}

/// An endpoint that is read.
package typealias Read<Names: PathNames, Outcome: Sendable> =
    Endpoint<Names, Unbound, NoBody, Outcome>

/// An endpoint that takes a form, whatever its caller has seen.
package typealias Write<Names: PathNames, Body: Form, Outcome: Sendable> =
    Endpoint<Names, Unbound, Body, Outcome>

/// What an endpoint is called and where it is: a method and a path, with what it names between
/// braces, as in `/v1/apps/{app}`.
struct EndpointAddress: Sendable {
    let name: String
    let method: WebRequest.Method
    let path: String

    static func get(_ name: String, _ path: String) -> EndpointAddress {
        EndpointAddress(name: name, method: .get, path: path)
    }

    static func post(_ name: String, _ path: String) -> EndpointAddress {
        EndpointAddress(name: name, method: .post, path: path)
    }

    static func put(_ name: String, _ path: String) -> EndpointAddress {
        EndpointAddress(name: name, method: .put, path: path)
    }

    static func delete(_ name: String, _ path: String) -> EndpointAddress {
        EndpointAddress(name: name, method: .delete, path: path)
    }
}

extension Endpoint where Seen == Unbound, Body == NoBody, Outcome: Shaped {
    /// What is read, and in which forms it can be had.
    init(
        _ address: EndpointAddress,
        _ summary: String,
        query: [QueryParameter] = [],
        as forms: [ContentType] = [.json],
        mayMeet problems: [ProblemCode] = []
    ) {
        var facts = EndpointFacts(address, summary)
        facts.query = query
        (facts.answer, facts.forms) = (Outcome.shape.reference, forms)
        facts.ownProblems = problems
        self.facts = facts
    }
}

extension Endpoint where Seen == Unbound, Body == NoBody, Outcome == Bytes {
    /// What is read as it stands.
    init(
        _ address: EndpointAddress,
        _ summary: String,
        as forms: [ContentType] = [.json],
        isFile: Bool = false,
        isDeep: Bool = false,
        mayMeet problems: [ProblemCode] = []
    ) {
        var facts = EndpointFacts(address, summary)
        facts.forms = forms
        (facts.isFile, facts.isDeep) = (isFile, isDeep)
        facts.ownProblems = problems
        self.facts = facts
    }
}

extension Endpoint where Body: Form & Shaped, Outcome: Shaped {
    /// What takes a form, whose schema may have a name of its own here.
    ///
    /// A question writes nothing. Of a write that leaves nothing to show the answer is 204, or that
    /// it was a dry run.
    init(
        _ address: EndpointAddress,
        _ summary: String,
        takes body: String? = nil,
        isBare: Bool = false,
        status: Int = 200,
        answersWhole: Bool = false,
        isQuestion: Bool = false,
        mayMeet problems: [ProblemCode] = []
    ) {
        let leavesNothing = Outcome.self == DryRunAnswer.self
        var facts = EndpointFacts(address, summary)
        if !isBare {
            let shape = body.map(Body.shape.named) ?? Body.shape
            facts.body = shape.reference
            facts.allowsNoBody = shape.allowsNothing
        }
        facts.answer = Outcome.shape.reference
        facts.status = leavesNothing ? 204 : status
        (facts.answersWhole, facts.isQuestion) = (answersWhole || leavesNothing, isQuestion)
        facts.precondition = Seen.kind
        facts.ownProblems = problems
        self.facts = facts
    }
}

extension Endpoint where Seen == Unbound, Body == Bytes, Outcome == Bytes {
    /// What takes a file as it comes, which may be sent again.
    init(
        _ address: EndpointAddress,
        _ summary: String,
        takesFile form: ContentType,
        mayMeet problems: [ProblemCode] = []
    ) {
        var facts = EndpointFacts(address, summary)
        (facts.bytes, facts.forms, facts.isFile) = (form, [form], true)
        facts.ownProblems = problems
        self.facts = facts
    }
}

extension Endpoint where Seen == Unbound, Body == Bytes, Outcome: Shaped {
    /// What takes a file as it comes, and says what came of it.
    init(
        _ address: EndpointAddress,
        _ summary: String,
        takesFile form: ContentType,
        mayMeet problems: [ProblemCode]
    ) {
        var facts = EndpointFacts(address, summary)
        (facts.bytes, facts.isFile) = (form, true)
        facts.answer = Outcome.shape.reference
        facts.ownProblems = problems
        self.facts = facts
    }
}

/// A part of a list, which says where the next one begins.
package protocol PagedAnswer: Answer {
    var next: String? { get }
}

extension ChangeList: PagedAnswer {}
extension DeliveryList: PagedAnswer {}
extension EventList: PagedAnswer {}
extension FieldHistoryAnswer: PagedAnswer {}
extension ReviewList: PagedAnswer {}
extension SnapshotList: PagedAnswer {}

/// What the caller of a write has to have seen, and names in `If-Match`.
package protocol Precondition: Sendable {
    associatedtype Value: Sendable

    static var kind: PreconditionKind? { get }

    /// What stands between the quotation marks of the tag.
    static func tag(of value: Value) -> String?
}

/// What an entity tag is one of.
package enum PreconditionKind: Sendable {
    case change
    case policy
    case settings
    case key
    case marketplace

    /// Whether it has to be named always: a first policy and a first marketplace have nothing before
    /// them.
    package var isDemanded: Bool {
        switch self {
        case .change, .settings, .key: true
        case .policy, .marketplace: false
        }
    }
}

/// Whatever was seen.
package enum Unbound: Precondition {
    package static let kind: PreconditionKind? = nil

    package static func tag(of value: Void) -> String? { nil }
}

/// A change, by the digest of what is decided on.
package enum SeenChange: Precondition {
    package static let kind: PreconditionKind? = .change

    package static func tag(of value: ChangeDigest) -> String? { value.hex }
}

/// A policy, by the position of the event that brought it into force.
package enum SeenPolicy: Precondition {
    package static let kind: PreconditionKind? = .policy

    package static func tag(of value: Position?) -> String? { value?.description }
}

/// An app's settings, by the position of the event that brought them.
package enum SeenSettings: Precondition {
    package static let kind: PreconditionKind? = .settings

    package static func tag(of value: Position?) -> String? { value?.description }
}

/// A key, by the position of the event that brought it to where it stands.
package enum SeenKey: Precondition {
    package static let kind: PreconditionKind? = .key

    package static func tag(of value: Position?) -> String? { value?.description }
}

/// A marketplace, by the position of the event that said it.
package enum SeenMarketplace: Precondition {
    package static let kind: PreconditionKind? = .marketplace

    package static func tag(of value: Position?) -> String? { value?.description }
}

/// Every request that the service answers.
package enum Endpoints {
    package static let all = EndpointTag.allCases.flatMap { tag in
        tag.endpoints.map { endpoint in
            var facts = endpoint.facts
            facts.tag = tag
            return facts
        }
    }
}

/// What endpoints are about, by which documentation and generated clients sort them.
package enum EndpointTag: String, CaseIterable, Sendable {
    case apps = "Apps"
    case documents = "Documents"
    case changes = "Changes"
    case policies = "Policies"
    case incidents = "Incidents"
    case releases = "Releases"
    case marketplaces = "Marketplaces"
    case log = "Event log"
    case keys = "Signing keys"
    case access = "Access"
    case webhooks = "Webhooks"
    case operations = "Operations"

    var endpoints: [any EndpointDeclaration] {
        switch self {
        case .apps: Endpoints.apps
        case .documents:
            Endpoints.documents + Endpoints.princeOfVersions + Endpoints.simulations
                + Endpoints.matrices
        case .changes: Endpoints.changes
        case .policies: Endpoints.policies
        case .incidents: Endpoints.freezes + Endpoints.emergencies + Endpoints.reviews
        case .releases: Endpoints.releases + Endpoints.shares
        case .marketplaces:
            Endpoints.marketplaces + Endpoints.explanations + Endpoints.packages
                + Endpoints.notifications + Endpoints.accounts
        case .log:
            Endpoints.events + Endpoints.snapshots + Endpoints.edges + Endpoints.log
        case .keys: Endpoints.keys
        case .access: Endpoints.tokens + Endpoints.principals + Endpoints.sessions
        case .webhooks: Endpoints.webhooks
        case .operations: Endpoints.operations
        }
    }

    package var description: String {
        switch self {
        case .apps: "Apps, their settings, and rolling them back."
        case .documents:
            "The documents that phones read, now or earlier; differences, simulations, dry runs."
        case .changes: "Proposals, approvals, schedules and checks."
        case .policies: "Who has to approve what."
        case .incidents: "Blocking a version, emergencies, freezes, and their reviews."
        case .releases: "Which versions exist, and how many devices run each."
        case .marketplaces: "Alternative marketplaces, and the packages that they hand out."
        case .log: "The event log, its exports, and the transparency log that proves it."
        case .keys: "The keys that sign what phones read."
        case .access: "Principals, their roles and their tokens."
        case .webhooks: "Who is sent events, and what came of it."
        case .operations: "Health, metrics, and this description."
        }
    }
}

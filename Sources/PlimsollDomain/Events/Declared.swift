package import PlimsollJSON

/// What there is to know of one type of events, said once: its name and shape, the members of its
/// data, the sentence that tells it, what it orders and what it puts an end to.
///
/// Adding an event is a case, a declaration, and what the state does with it.
final class Declared<Payload: Sendable>: DeclaredEvent {
    let type: EventType
    let shape: Int
    private let members: Members<Payload>
    private let make: @Sendable (Payload) -> Event
    fileprivate let sentence: @Sendable (EventContext, Payload) -> String
    fileprivate let published: (@Sendable (StreamName, Payload) -> AppSlug?)?
    fileprivate let replacement: (@Sendable (Payload) -> Replacement?)?

    /// Shapes up to `shape` have been written, and all are read: what a later one added may be left
    /// out.
    init<Stream: EventOfStream, each Piece>(
        _ type: EventType,
        shape: Int = 1,
        _ make: @escaping @Sendable (repeat each Piece) -> Stream,
        _ members: repeat Members<each Piece>,
        sentence: @escaping @Sendable (EventContext, repeat each Piece) -> String
    ) where Payload == (repeat each Piece) {
        (self.type, self.shape) = (type, shape)
        self.members = .together(repeat each members)
        self.make = { make(repeat each $0).event }
        published = nil
        replacement = nil
        self.sentence = { sentence($0, repeat each $1) }
    }

    private init(
        _ other: Declared,
        published: (@Sendable (StreamName, Payload) -> AppSlug?)?,
        replacement: (@Sendable (Payload) -> Replacement?)?
    ) {
        (type, shape, members) = (other.type, other.shape, other.members)
        (make, sentence) = (other.make, other.sentence)
        (self.published, self.replacement) = (published, replacement)
    }

    /// The same, of events that have the documents of an app published.
    func publishing(
        _ published: @escaping @Sendable (StreamName, Payload) -> AppSlug?
    ) -> Declared {
        Declared(self, published: published, replacement: replacement)
    }

    /// The same, of events that put something in the place of what is no field.
    func replacing(
        _ replacement: @escaping @Sendable (Payload) -> Replacement?
    ) -> Declared {
        Declared(self, published: published, replacement: replacement)
    }

    var keys: [String] { members.keys }
    var publishes: Bool { published != nil }

    func event(_ data: JSONObject) throws(DataFault) -> Event { make(try members.value(in: data)) }

    /// An event of the type, told.
    func callAsFunction<each Piece>(_ pieces: repeat each Piece) -> any ToldEvent
    where Payload == (repeat each Piece) {
        Telling(declaration: self, payload: (repeat each pieces))
    }

    fileprivate func data(_ payload: Payload, _ form: DataForm) -> JSONObject {
        members.object(payload, form)
    }
}

/// A declaration, whatever its events say.
package protocol DeclaredEvent: Sendable {
    var type: EventType { get }
    /// The shape in which events of this type are written today; older ones are read for ever.
    var shape: Int { get }
    /// The members that stored data may have.
    var keys: [String] { get }
    /// Whether its events have an app's documents published.
    var publishes: Bool { get }
    /// Reads stored data, of today's shape or an older one.
    func event(_ data: JSONObject) throws(DataFault) -> Event
}

/// An event beside its declaration.
package protocol ToldEvent: Sendable {
    var type: EventType { get }
    var shape: Int { get }
    func data(_ form: DataForm) -> JSONObject
    /// What happened, without its full stop: `iOS minimum app 3.1.0 → 3.2.0`.
    func sentence(_ context: EventContext) -> String
    /// The app whose documents have to be published because of it, in the stream where it stands.
    func publishes(in stream: StreamName) -> AppSlug?
    /// What it puts in the place of something that is no field of a document.
    var replacement: Replacement? { get }
}

private struct Telling<Payload: Sendable>: ToldEvent {
    let declaration: Declared<Payload>
    let payload: Payload

    var type: EventType { declaration.type }
    var shape: Int { declaration.shape }
    var replacement: Replacement? { declaration.replacement?(payload) }

    func data(_ form: DataForm) -> JSONObject { declaration.data(payload, form) }

    func sentence(_ context: EventContext) -> String { declaration.sentence(context, payload) }

    func publishes(in stream: StreamName) -> AppSlug? { declaration.published?(stream, payload) }
}

/// What is known around an event, for the sentence that tells it.
package struct EventContext: Sendable {
    /// What its stream is of, and the same where a sentence begins with it.
    let subject: String
    let beginning: String
    /// What it did to each field it wrote, and the first of them in a sentence.
    let fields: [FieldChange]
    let field: String?
    /// `: raising a minimum needs 1 approval … → needs nobody's …`, or nothing.
    let tail: String
    /// What stood there before, in words.
    let before: String?

    package init(
        of stream: StreamName,
        fields: [FieldChange],
        field: String?,
        tail: String,
        before: String?
    ) {
        subject =
            switch stream {
            case .app(let app), .export(let app): app.text
            case .change(let id): "Change \(id)"
            case .service: "everything"
            case .access, .keys, .webhooks: stream.text
            }
        beginning = stream == .service ? "Everything" : subject
        (self.fields, self.field, self.tail, self.before) = (fields, field, tail, before)
    }

    /// Since when it was frozen.
    var since: String { before.map { " since \($0)" } ?? "" }
}

/// The events of one kind of streams.
protocol EventOfStream: Sendable {
    var event: Event { get }
    /// With its declaration. A switch over all there are, so that none goes undeclared.
    var told: any ToldEvent { get }
}

extension Event {
    /// With its declaration.
    package var told: any ToldEvent {
        switch self {
        case .app(let event): event.told
        case .change(let event): event.told
        case .access(let event): event.told
        case .key(let event): event.told
        case .service(let event): event.told
        case .export(let event): event.told
        case .webhook(let event): event.told
        }
    }

    package var type: EventType { told.type }
}

/// What an event puts in the place of something that is no field of a document.
package enum Replacement: Equatable, Sendable {
    case settings(AppSettings)
    /// `nil`: the app follows the default again.
    case policy(Policy?)
    case defaultPolicy(Policy)
    case release(Platform, VersionValue, ReleaseFacts)
    case shares(Platform, VersionShares)
    case freezeStart
    case freezeEnd
    /// Of a freeze that the event at the position planned.
    case freezePlanEnd(Position)
    case defaultApp(AppSlug)
}

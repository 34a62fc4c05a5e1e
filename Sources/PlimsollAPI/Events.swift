package import Foundation
package import PlimsollDomain
package import PlimsollJSON

/// An event of the log, as `GET /v1/events` answers it.
package struct EventAnswer: Answer, Shaped {
    package let position: Position
    package let id: UUID
    package let stream: StreamName
    package let revision: Revision
    package let recordedAt: Instant
    package let command: CommandID
    package let origin: EventOrigin
    package let body: EventBody
    /// What it is about, and what it did to each field it wrote.
    package let app: AppSlug?
    package let change: ChangeID?
    package let fields: [FieldChange]
    /// What it did to what is no field: to each setting, rule of a policy, fact of a release.
    package let differences: [Difference]
    /// What happened, as a person reads it.
    package let sentence: String

    package init(
        _ recorded: RecordedEvent,
        app: AppSlug? = nil,
        change: ChangeID? = nil,
        fields: [FieldChange] = [],
        replacing predecessor: Predecessor? = nil
    ) {
        position = recorded.position
        id = recorded.id
        stream = recorded.stream
        revision = recorded.revision
        recordedAt = recorded.recordedAt
        command = recorded.command
        origin = EventOrigin(recorded.origin)
        let told = recorded.event.told
        body = EventBody(told)
        (self.app, self.change, self.fields) = (app, change, fields)
        differences = recorded.differences(told.replacement, from: predecessor)
        sentence = told.sentence(recorded.context(fields, differences))
    }

    /// Read and written by hand: the record is streamed event by event.
    package static let shape = Shape<Self>(
        "Event",
        byHand: [
            .required("position", .position), .required("id", .uuid),
            .required("type", .names(EventBody.types)), .required("stream", .string),
            .required("revision", .integer(from: 1)), .required("recordedAt", .instant),
            .required("command", .uuid), .required("data", .anyObject),
            .required("actor", .principal), .required("token", .nullable(.uuid)),
            .required("request", .nullable(.string)), .required("correlation", .uuid),
            .required("causation", .nullable(.uuid)),
            .required("reason", .nullable(.reason)), .required("app", .nullable(.slug)),
            .required("change", .nullable(.change)),
            .required("fields", .array(of: FieldChange.shape.reference)),
            .required("differences", .array(of: Difference.shape.reference)),
            .required("sentence", .string), .optional("entry", .string),
        ]
    )

    package init?(_ reader: inout ObjectReader) {
        let position = reader.member("position", .position)
        let id = reader.uuid("id")
        let stream = reader.string("stream", needing: "a stream's name", StreamName.init)
        let revision = reader.member("revision", needing: "a whole number from 0 on") {
            $0.integer.flatMap(Revision.init(rawValue:))
        }
        let recordedAt = reader.member("recordedAt", .instant)
        let command = reader.uuid("command")
        let origin = EventOrigin(&reader)
        let type = reader.string("type")
        let data = reader.object("data")
        let app = reader.optionalString("app", needing: "an app's slug", AppSlug.init)
        let change = reader.optionalMember("change", .change)
        let fields = reader.objects("fields") { FieldChange(&$0) }
        let differences = reader.objects("differences") { Difference(&$0) }
        let sentence = reader.string("sentence")
        guard
            let position, let id, let stream, let revision, let recordedAt, let command,
            let origin, let type, let data, let fields, let differences, let sentence
        else { return nil }
        (self.position, self.id, self.stream, self.revision) = (position, id, stream, revision)
        (self.recordedAt, self.command) = (recordedAt, CommandID(command))
        (self.origin, body) = (origin, EventBody(type, data))
        (self.app, self.change) = (app, change)
        (self.fields, self.differences, self.sentence) = (fields, differences, sentence)
    }

    package var json: JSONObject {
        var json: JSONObject = [
            "position": JSONValue(position),
            "id": .string(id.uuidString.lowercased()),
            "type": .string(body.type),
            "stream": .string(stream.text),
            "revision": .integer(revision.rawValue),
            "recordedAt": JSONValue(recordedAt),
            "command": .string(command.description),
            "data": .object(body.data),
            "app": JSONValue(app?.text),
            "change": JSONValue(change?.description),
            "fields": JSONValue(fields),
            "differences": JSONValue(differences),
            "sentence": .string(sentence),
        ]
        origin.write(to: &json)
        return json
    }
}

extension EventAnswer {
    package var bytes: [UInt8] {
        var writer = CanonicalWriter(capacity: 1024)
        write(to: &writer)
        return writer.bytes
    }

    /// Writes what ``json`` says, without making it: the record is written out by the million.
    ///
    /// Takes the event's entry in base64, for who wants to hash it.
    package func write(to writer: inout CanonicalWriter, entry: String? = nil) {
        writer.literal(#"{"actor":"#)
        writer.string(origin.actor.text)
        writer.literal(#","app":"#)
        writer.string(app?.text)
        writer.literal(#","causation":"#)
        writer.string(origin.causation?.text)
        writer.literal(#","change":"#)
        writer.string(change?.description)
        writer.literal(#","command":"#)
        writer.string(command.description)
        writer.literal(#","correlation":"#)
        writer.string(origin.correlation.text)
        writer.literal(#","data":"#)
        writer.value(.object(body.data))
        writeDifferences(to: &writer)
        if let entry {
            writer.literal(#","entry":"#)
            writer.string(entry)
        }
        writeFields(to: &writer)
        writer.literal(#","id":"#)
        writer.string(id.text)
        writer.literal(#","position":"#)
        writer.integer(position.rawValue)
        writer.literal(#","reason":"#)
        writer.string(origin.reason)
        writer.literal(#","recordedAt":"#)
        writer.string(recordedAt.rfc3339)
        writer.literal(#","request":"#)
        writer.string(origin.request)
        writer.literal(#","revision":"#)
        writer.integer(revision.rawValue)
        writer.literal(#","sentence":"#)
        writer.string(sentence)
        writer.literal(#","stream":"#)
        writer.string(stream.text)
        writer.literal(#","token":"#)
        writer.string(origin.token?.description)
        writer.literal(#","type":"#)
        writer.string(body.type)
        writer.literal("}")
    }

    private func writeDifferences(to writer: inout CanonicalWriter) {
        writer.literal(#","differences":"#)
        guard !differences.isEmpty else { return writer.literal("[]") }
        writer.value(JSONValue(differences))
    }

    private func writeFields(to writer: inout CanonicalWriter) {
        writer.literal(#","fields":["#)
        for (index, change) in fields.enumerated() {
            writer.literal(index == 0 ? #"{"after":"# : #",{"after":"#)
            writer.value(JSONValue(change.after))
            writer.literal(#","before":"#)
            writer.value(JSONValue(change.before))
            writer.literal(#","field":"#)
            writer.string(change.field.path)
            writer.literal("}")
        }
        writer.literal("]")
    }
}

/// Who acted, how that is known, in answer to what, and why; as an answer says it.
package struct EventOrigin: Equatable, Sendable {
    package let actor: PrincipalID
    /// `nil` where the service acted by itself.
    package let token: TokenID?
    package let request: String?
    package let correlation: UUID
    package let causation: UUID?
    package let reason: String?

    init(_ origin: Origin) {
        actor = origin.actor
        token = if case .token(let id) = origin.authentication { id } else { nil }
        request = origin.request
        correlation = origin.correlation
        causation = origin.causation
        reason = origin.reason?.text
    }

    init?(_ reader: inout ObjectReader) {
        let actor = reader.member("actor", .principal)
        let token = reader.optionalMember("token", .token)
        let request = reader.optionalString("request")
        let correlation = reader.uuid("correlation")
        let causation = reader.optionalString("causation", needing: "a UUID", UUID.init)
        let reason = reader.optionalString("reason")
        guard let actor, let correlation else { return nil }
        (self.actor, self.token, self.request) = (actor, token, request)
        (self.correlation, self.causation, self.reason) = (correlation, causation, reason)
    }

    func write(to json: inout JSONObject) {
        json["actor"] = .string(actor.text)
        json["token"] = JSONValue(token?.description)
        json["request"] = JSONValue(request)
        json["correlation"] = .string(correlation.uuidString.lowercased())
        json["causation"] = JSONValue(causation?.uuidString.lowercased())
        json["reason"] = JSONValue(reason)
    }
}

extension ObjectReader {
    fileprivate mutating func uuid(_ key: String) -> UUID? {
        string(key, needing: "a UUID", UUID.init(uuidString:))
    }
}

/// A part of the log, and where the next part begins.
package struct EventList: Answer, Shaped {
    package let events: [EventAnswer]
    /// The cursor of the next part; `nil` where the list has come to its end.
    package let next: String?

    package init(events: [EventAnswer], next: String?) {
        self.events = events
        self.next = next
    }

    package static let shape = Shape<Self>(
        "EventList",
        Self.init(events:next:),
        .required("events", \.events, .objects(EventAnswer.shape)),
        .nullable("next", \.next, .cursor)
    )

    package var bytes: [UInt8] {
        var writer = CanonicalWriter(capacity: 1024 * (events.count + 1))
        writer.literal(#"{"events":["#)
        for (index, event) in events.enumerated() {
            if index > 0 { writer.literal(",") }
            event.write(to: &writer)
        }
        writer.literal(#"],"next":"#)
        writer.string(next)
        writer.literal("}")
        return writer.bytes
    }
}

/// The last line of a stream of events: that it is whole, and what it is a part of.
package struct ExportEnd: Answer {
    /// How many events stand before it.
    package let count: Int
    /// The position of the last of them; `nil` where there is none.
    package let last: Position?
    /// How far the record went when it was asked.
    package let position: Position
    /// The newest checkpoint that was signed until there, if one was: a signed note.
    package let checkpoint: String?

    package init(count: Int, last: Position?, position: Position, checkpoint: String?) {
        self.count = count
        self.last = last
        self.position = position
        self.checkpoint = checkpoint
    }

    package init?(_ reader: inout ObjectReader) {
        let count = reader.member("count", needing: "a whole number from 0 on") {
            $0.integer.flatMap { $0 < 0 ? nil : Int($0) }
        }
        let last = reader.optionalMember("last", .position)
        let position = reader.member("position", .position)
        let checkpoint = reader.optionalString("checkpoint")
        guard let count, let position else { return nil }
        self.init(count: count, last: last, position: position, checkpoint: checkpoint)
    }

    package var json: JSONObject {
        [
            "count": .integer(Int64(count)), "last": JSONValue(last),
            "position": JSONValue(position), "checkpoint": JSONValue(checkpoint),
        ]
    }
}

/// What an event is called and what it says, by the members that its type has.
///
/// It is a view: what is stored and hashed has a form of its own. Secrets and what could be tried
/// out against them are left out.
package struct EventBody: Equatable, Sendable {
    package let type: String
    package let data: JSONObject

    init(_ type: String, _ data: JSONObject) { (self.type, self.data) = (type, data) }

    package init(_ told: any ToldEvent) {
        self.init(told.type.rawValue, told.data(.answered))
    }

    /// Every name there is, in the order of the alphabet.
    package static let types = EventType.names
}

extension RecordedEvent {
    /// What it changed that is no field of a document, part by part: of what stood before it, and
    /// nothing where that is not known.
    func differences(
        _ replacement: Replacement?,
        from predecessor: Predecessor?
    ) -> [Difference] {
        guard let replacement else { return [] }
        return switch (replacement, predecessor) {
        case (.settings(let after), .settings(let before)): before.differences(to: after)
        case (.policy, .policy(let before, then: let after)),
            (.defaultPolicy, .policy(let before, then: let after)):
            before.differences(to: after)
        case (.release(_, _, let after), .release(let before)):
            before.facts.differences(to: after)
        case (.shares(_, let after), _): predecessor.shares.differences(to: after)
        case (.freezeStart, _): [frozen(since: nil, then: recordedAt)]
        case (.freezeEnd, .freeze(let freeze)), (.freezePlanEnd, .freeze(let freeze)):
            [frozen(since: freeze.since, then: nil)]
        case (.defaultApp(let app), _):
            [
                Difference(
                    member: "defaultApp",
                    subject: "default app",
                    before: predecessor?.defaultApp,
                    after: app.text
                )
            ]
        case (.settings, _), (.policy, _), (.defaultPolicy, _), (.release, _), (.freezeEnd, _),
            (.freezePlanEnd, _):
            []
        }
    }

    private func frozen(since before: Instant?, then after: Instant?) -> Difference {
        Difference(
            member: "frozenSince",
            subject: "frozen since",
            before: before?.rfc3339,
            after: after?.rfc3339
        )
    }

    /// What is known around it, for the sentence that tells it.
    func context(_ fields: [FieldChange], _ differences: [Difference]) -> EventContext {
        EventContext(
            of: stream,
            fields: fields,
            field: fields.first?.sentence,
            tail: differences.tail,
            before: differences.first { !$0.member.contains(".") }?.before
        )
    }
}

extension Predecessor {
    fileprivate var defaultApp: String? {
        if case .defaultApp(let app) = self { app.text } else { nil }
    }
}

extension Predecessor? {
    /// Where nothing was counted, no device was.
    fileprivate var shares: VersionShares {
        if case .shares(let shares) = self { shares } else { VersionShares(rows: []) }
    }
}

extension [Difference] {
    /// What follows the sentence: `: raising a minimum needs 1 approval … → needs nobody's …`.
    package var tail: String {
        isEmpty ? "" : ": " + map(\.sentence.inSentence).joined(separator: "; ")
    }
}

extension String {
    /// As it stands behind a colon.
    fileprivate var inSentence: String { prefix(1).lowercased() + dropFirst() }
}

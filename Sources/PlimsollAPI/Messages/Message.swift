package import PlimsollDomain
package import PlimsollJSON

/// Something that goes over the wire as a JSON object.
///
/// A member that can be empty is null then, never left out, so that every answer of a kind has the
/// same members.
package protocol Message: Equatable, Sendable {
    /// Reads the members; `nil` where an issue of the reader says why.
    init?(_ reader: inout ObjectReader)

    var json: JSONObject { get }

    /// What ``json`` is in canonical bytes; what is answered by the thousand makes them without it.
    var bytes: [UInt8] { get }
}

/// What somebody sends to the service: read strictly, everything wrong with it named at once.
package protocol Form: Message {
    /// Members that stand outside the log, and of which no digest may be recorded either: whoever has
    /// that could try what they were.
    static var outsideLog: [String] { get }
}

/// What the service says: read leniently, so that a newer service can say more.
package protocol Answer: Message {}

extension Form {
    package static var outsideLog: [String] { [] }

    /// What of a body a digest may be recorded of.
    package static func recordable(_ body: [UInt8]) -> [UInt8] {
        guard !outsideLog.isEmpty, var object = (try? JSONValue(parsing: body))?.object else {
            return body
        }
        for member in outsideLog { object[member] = nil }
        return object.canonicalBytes()
    }

    /// Reads a request's body, or throws the problem that says all that is wrong with it.
    package init(body bytes: [UInt8], limits: JSONLimits = .default) throws(Problem) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes, limits: limits)
        } catch {
            throw Problem(error)
        }
        do {
            var reader = try ObjectReader(reading: value)
            let form = Self(&reader)
            reader.refuseInvisibleCharacters()
            self = try reader.finish { form }
        } catch {
            throw Problem(error)
        }
    }
}

extension ObjectReader {
    /// Of what people write about what they do, and call somebody or something.
    ///
    /// It is asked of requests only: what was written before there was this rule is read as it is.
    fileprivate mutating func refuseInvisibleCharacters() {
        // What is wrong in another way already is told once.
        let wrong = Set(issues.map(\.pointer))
        for key in ["title", "reason", "comment", "incident", "name"]
        where !wrong.contains(pointer.appending(key)) {
            let text = object[key]?.string ?? ""
            let fault =
                key == "name" ? TextFault.invisible(inName: text) : TextFault.invisible(in: text)
            if let fault { refuse(key, fault.sentence) }
        }
    }
}

extension Answer {
    package init(_ value: JSONValue) throws(JSONIssues) {
        var reader = try ObjectReader(reading: value)
        reader.isLenient = true
        let answer = Self(&reader)
        self = try reader.finish(.ignored) { answer }
    }
}

extension Message {
    package var bytes: [UInt8] { json.canonicalBytes() }
}

extension Problem {
    /// The bytes are not JSON that this service reads.
    package init(_ error: JSONError) {
        let place = Place.body(Pointer(error.pointer.text))
        if case .tooLarge = error.fault {
            self.init(.tooLarge, detail: error.description)
        } else {
            let fault = Fault(at: place, code: "malformedJSON", detail: error.description)
            self.init(.malformedJSON, detail: error.description, errors: [fault])
        }
    }

    /// The JSON is not what the resource reads.
    package init(_ issues: JSONIssues) {
        let faults = issues.issues.map {
            Fault(at: .body(Pointer($0.pointer.text)), code: "memberWrong", detail: $0.detail)
        }
        let detail =
            faults.count == 1
            ? issues.issues[0].description
            : "\(faults.count) things are wrong with the body."
        self.init(.invalidRequest, detail: detail, errors: faults)
    }
}

/// A body that says nothing but why; an empty one does it without a word.
package struct ReasonForm: Form, Shaped {
    package let reason: Reason?

    package init(reason: Reason? = nil) { self.reason = reason }

    package static let shape = Shape<Self>(
        nil,
        Self.init(reason:),
        .optional("reason", \.reason, .reason)
    )
}

/// A body that says nothing but why, without which it is not done.
package struct MandatoryReasonForm: Form, Shaped {
    package let reason: Reason

    package init(reason: Reason) { self.reason = reason }

    package static let shape = Shape<Self>(
        nil,
        Self.init(reason:),
        .required("reason", \.reason, .reason)
    )
}

/// Says that a write was a dry run, where the write itself has nothing to tell.
package struct DryRunAnswer: Answer, Shaped {
    package init() {}

    private var isDryRun: Bool { true }

    package static let shape = Shape<Self>(
        "Rehearsal",
        { _ in Self() },
        .required(
            "dryRun",
            \.isDryRun,
            ValueShape("true", .constant(true), { $0.bool == true ? true : nil }, JSONValue.bool)
        )
    )
}

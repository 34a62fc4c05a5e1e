import PlimsollJSON

/// A place in a document, from its root.
struct Place: Equatable {
    let steps: [Step]

    enum Step: Equatable {
        case member(String)
        case element(Int)
    }

    static let root = Place(steps: [])

    func appending(_ step: Step) -> Place { Place(steps: steps + [step]) }

    var parent: Place { Place(steps: steps.dropLast()) }

    /// As RFC 6901 writes it; no name in a sample needs an escape.
    var pointer: String {
        steps.reduce(into: "") { pointer, step in
            switch step {
            case .member(let name): pointer += "/\(name)"
            case .element(let index): pointer += "/\(index)"
            }
        }
    }

    /// Whether another place lies here or below.
    func holds(_ pointer: String) -> Bool {
        pointer == self.pointer || pointer.hasPrefix("\(self.pointer)/")
    }
}

extension JSONValue {
    /// The document with other bytes at one place, whatever they are.
    func bytes(at place: Place, _ other: [UInt8]) -> [UInt8] {
        guard let step = place.steps.first else { return other }
        let rest = Place(steps: Array(place.steps.dropFirst()))
        switch (step, self) {
        case (.member(let name), .object(let object)):
            let members = object.members.map { member in
                pair(
                    member.key,
                    member.key == name
                        ? member.value.bytes(at: rest, other) : member.value.canonicalBytes()
                )
            }
            return braced(members)
        case (.element(let index), .array(let elements)):
            let written = elements.enumerated().map {
                $0 == index ? $1.bytes(at: rest, other) : $1.canonicalBytes()
            }
            return [UInt8(ascii: "[")] + Array(written.joined(separator: [comma]))
                + [UInt8(ascii: "]")]
        default: preconditionFailure("a twin differs at a place that there is")
        }
    }

    /// The document without one of its members.
    func bytes(without name: String, in place: Place) -> [UInt8] {
        var object = self[place]?.object ?? [:]
        object[name] = nil
        return bytes(at: place, JSONValue.object(object).canonicalBytes())
    }

    /// The document with a member more, behind those it has.
    func bytes(adding name: String, _ value: [UInt8], in place: Place) -> [UInt8] {
        let members = (self[place]?.object ?? [:]).members.map {
            pair($0.key, $0.value.canonicalBytes())
        }
        return bytes(at: place, braced(members + [pair(name, value)]))
    }

    /// The document with another value at one place, which need not have been there.
    func bytes(setting place: Place, to value: JSONValue) -> [UInt8] {
        guard self[place] == nil, case .member(let name) = place.steps.last else {
            return bytes(at: place, value.canonicalBytes())
        }
        return bytes(adding: name, value.canonicalBytes(), in: place.parent)
    }

    subscript(place: Place) -> JSONValue? {
        place.steps.reduce(self) { value, step in
            switch step {
            case .member(let name): value?.object?[name]
            case .element(let index): value?.array?[index]
            }
        }
    }

    /// Every place there is, the root first.
    var places: [Place] { places(from: .root) }

    private func places(from place: Place) -> [Place] {
        switch self {
        case .object(let object):
            [place]
                + object.members.flatMap { $0.value.places(from: place.appending(.member($0.key))) }
        case .array(let elements):
            [place]
                + elements.enumerated().flatMap { $1.places(from: place.appending(.element($0))) }
        case .null, .bool, .integer, .string: [place]
        }
    }
}

private let comma = UInt8(ascii: ",")

private func pair(_ name: String, _ value: [UInt8]) -> [UInt8] {
    JSONValue.string(name).canonicalBytes() + [UInt8(ascii: ":")] + value
}

private func braced(_ members: [[UInt8]]) -> [UInt8] {
    [UInt8(ascii: "{")] + Array(members.joined(separator: [comma])) + [UInt8(ascii: "}")]
}

package import PlimsollJSON

/// A message that says with a shape what it is made of.
package protocol Shaped: Message {
    static var shape: Shape<Self> { get }
}

extension Shaped {
    package init?(_ reader: inout ObjectReader) {
        guard let message = Self.shape.read(&reader) else { return nil }
        self = message
    }

    package var json: JSONObject { Self.shape.json(self) }
}

extension Shape where Root: Message {
    /// Of a message that is read and written by hand, because its members depend on each other.
    package init(_ name: String? = nil, byHand members: [Schema.Member]) {
        self.init(name, members: members, read: Root.init, write: Self.byHand)
    }

    /// The same where the schema is no list of members.
    package init(_ name: String? = nil, byHand schema: Schema) {
        self.init(name, schema: schema, read: Root.init, write: Self.byHand)
    }

    private static func byHand(_ root: Root, _ json: inout JSONObject) {
        guard !json.isEmpty else { return json = root.json }
        for member in root.json.members { json[member.key] = member.value }
    }
}

extension Shape {
    /// The shape of an answer to a write, which may have been tried only.
    package var withDryRun: Shape { adding(.optional("dryRun", .constant(true))) }
}

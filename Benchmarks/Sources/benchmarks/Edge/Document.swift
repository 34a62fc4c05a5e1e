/// The document as the edge serves it, for the other server to serve the same.
struct Document {
    let body: [UInt8]
    let fields: [(name: String, value: String)]

    /// Fields that a server makes itself.
    private static let madeByServer = [
        "connection", "content-length", "content-type", "date", "etag",
    ]

    init(servedOn port: UInt16) throws {
        let answer = try HTTPConnection(port: port).send("GET", RunningService.documentPath)
        body = answer.body
        fields = answer.fields
            .filter { !Self.madeByServer.contains($0.key) }
            .sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }

    /// The tag a server gives the document, to ask for it again with.
    static func tag(on port: UInt16) throws -> String {
        let answer = try HTTPConnection(port: port).send("GET", RunningService.documentPath)
        return try known(answer.fields["etag"], "an entity tag")
    }
}

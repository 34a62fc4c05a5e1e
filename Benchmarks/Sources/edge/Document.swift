import Foundation

/// The document as the edge serves it, for the other server to serve the same.
struct Document {
    static let path = "/distribution/availability-ios"

    let body: Data
    let fields: [(name: String, value: String)]

    var length: Int { body.count }

    /// Fields that a server makes itself.
    private static let madeByServer = ["date", "etag", "content-length", "content-type"]

    init(fetchedFrom server: Server) throws {
        let head = try Program.output(["curl", "-sfI", server.url(Self.path)])
        fields = head.split(whereSeparator: \.isNewline).compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, !Self.madeByServer.contains(parts[0].lowercased()) else {
                return nil
            }
            return (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
        }
        let text = try Program.output(["curl", "-sf", server.url(Self.path)])
        body = Data(text.utf8)
    }

    /// The tag a server gives the document, to ask for it again with.
    static func tag(from server: Server) throws -> String {
        let head = try Program.output(["curl", "-sfI", server.url(path)])
        for line in head.split(whereSeparator: \.isNewline)
        where line.lowercased().hasPrefix("etag:") {
            return line.dropFirst("etag:".count).trimmingCharacters(in: .whitespaces)
        }
        throw Failure(sentence: "\(server.name) sends no ETag")
    }
}

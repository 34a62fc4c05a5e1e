import HTTPTypes
import Hummingbird
import NIOCore
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollHTTP
import PlimsollJSON

/// What an edge answers other edges: word of new snapshots, their files, and who follows it.
struct OriginRouter {
    let offers: SnapshotOffers
    let followers: FollowingEdges

    private static let waitMaximum = Duration.seconds(30)

    func router() -> Router<PlimsollContext> {
        let router = Router(context: PlimsollContext.self, options: .autoGenerateHeadEndpoints)
        router.addProblems()
        router.get("origin/snapshots") { request, _ in try await snapshots(request) }
        router.get("origin/digests/:digest") { _, context in
            try file(ContentDigest(hex: context.parameters.require("digest")))
        }
        router.get("origin/edges") { _, _ in
            Response(json: .object(followers.summary(serving: offers.sequences).json))
        }
        router.put("origin/edges/:edge") { request, context in
            try await take(request, context.parameters.require("edge"))
        }
        // As at an edge, for programs that know no more of an origin.
        router.get("distribution/:app/:name") { request, context in
            let parameters = context.parameters
            let app = try AppSlug(parameters.require("app"))
            return try file(app, parameters.require("name"), request)
        }
        return router
    }

    private func snapshots(_ request: Request) async throws -> Response {
        if Accept(request.headers).best(of: [.json, .eventStream]) == .eventStream {
            return stream(request)
        }
        let known = request.headers[.ifNoneMatch].flatMap(OfferMark.init(tag:))
        let patience = request.wait(upTo: Self.waitMaximum)
        await waitForNews(after: known, within: patience)
        let all = offers.notices()
        var headers: HTTPFields = [.eTag: all.mark.tag, .cacheControl: "no-store"]
        if patience > .zero { headers[.preferenceApplied] = "wait" }
        if known == all.mark { return Response(status: .notModified, headers: headers) }
        let json: JSONValue = .object(["snapshots": .array(all.notices.map(\.json))])
        return Response(json: json, headers: headers)
    }

    /// Waits until there is something new, or the time is over, or the listener ends.
    private func waitForNews(after known: OfferMark?, within patience: Duration) async {
        guard patience > .zero, offers.mark == known else { return }
        await withTaskGroup { group in
            group.addTask(name: "news") {
                for await _ in offers.signals()
                where offers.mark != known { return }
            }
            group.addTask(name: "end") { try? await Task.sleep(for: patience) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Server-sent events (WHATWG HTML, 9.2), one for each snapshot; the id is up to where the
    /// reader was told.
    ///
    /// The last one alone has it: who is cut off before is told all of them again.
    private func stream(_ request: Request) -> Response {
        let mark = request.headers[.lastEventID].flatMap { OfferMark($0) }
        let withFiles = request.uri.queryParameters["files"] == "new"
        let headers: HTTPFields = [
            .contentType: "text/event-stream", .cacheControl: "no-store",
            .accelBuffering: "no",
        ]
        let body = ResponseBody { [offers] writer in
            var mark = mark
            try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
            for await _ in offers.signals() {
                let (lines, now) = offers.lines(after: mark, withFiles: withFiles)
                mark = now
                for line in lines.dropLast() { try await writer.write(line) }
                let head = lines.isEmpty ? ":\n\n" : "id: \(now)\n"
                try await writer.write(ByteBuffer(string: head))
                if let last = lines.last { try await writer.write(last) }
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    private func file(_ digest: ContentDigest?) throws -> Response {
        guard let digest, let file = offers.file(digest) else { throw Problem.noSuchResource }
        var response = Response(file)
        response.headers[.cacheControl] = "public, max-age=31536000, immutable"
        return response
    }

    private func file(_ app: AppSlug?, _ name: String, _ request: Request) throws -> Response {
        guard let app, let file = offers.file(name, of: app) else { throw Problem.noSuchResource }
        let tag = "\"\(file.digest)\""
        guard request.headers[.ifNoneMatch] != tag else {
            return Response(status: .notModified, headers: [.eTag: tag])
        }
        var response = Response(file)
        response.headers[.eTag] = tag
        response.headers[.cacheControl] = "no-cache"
        return response
    }

    private func take(_ request: Request, _ edge: String) async throws -> Response {
        guard let id = EdgeID(edge) else { throw Problem.noSuchResource }
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: EdgeReport.sizeMaximum)
        } catch is NIOTooManyBytesError {
            throw Problem.bodyTooLarge(most: EdgeReport.sizeMaximum)
        }
        do throws(JSONIssues) {
            let report = try EdgeReport(parsing: Array(body.readableBytesView))
            followers.take(report, of: id, at: .now, serving: offers.sequences)
        } catch {
            throw Problem(error)
        }
        return Response(status: .noContent)
    }
}

extension OfferMark {
    fileprivate init?(tag: String) {
        guard tag.count > 2, tag.first == "\"", tag.last == "\"" else { return nil }
        self.init(String(tag.dropFirst().dropLast()))
    }

    fileprivate var tag: String { "\"\(self)\"" }
}

extension Response {
    fileprivate init(json: JSONValue, headers: HTTPFields = [:]) {
        var headers = headers
        headers[.contentType] = "application/json"
        let body = ByteBuffer(bytes: json.canonicalBytes())
        self.init(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
    }

    fileprivate init(_ file: OfferedSnapshot.File) {
        self.init(
            status: .ok,
            headers: [.contentType: file.mediaType, .xContentTypeOptions: "nosniff"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.body))
        )
    }
}

extension Request {
    /// How long an answer may wait for news (RFC 7240, 4.3).
    fileprivate func wait(upTo maximum: Duration) -> Duration {
        let preferences = headers[values: .prefer].flatMap { $0.split(separator: ",") }
        for preference in preferences {
            let parts = preference.split(separator: "=").map { $0.filter { $0 != " " } }
            guard parts.count == 2, parts[0].lowercased() == "wait", let seconds = Int(parts[1])
            else { continue }
            return min(.seconds(max(0, min(seconds, 3600))), maximum)
        }
        return .zero
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = knownName("Last-Event-ID")
    fileprivate static let accelBuffering = knownName("X-Accel-Buffering")
    fileprivate static let prefer = knownName("Prefer")
    fileprivate static let preferenceApplied = knownName("Preference-Applied")
}

package import PlimsollAPI
package import PlimsollDomain

/// Reads and writes objects of an S3-compatible store.
///
/// Nothing is written without a condition, and nothing is sent twice: who asked decides what comes
/// after a failure.
package struct ObjectStore: Sendable {
    private let place: StorePlace
    private let signer: RequestSigner?
    private let transport: Transport
    private let now: @Sendable () -> Instant

    /// A store that takes longer is one that is away.
    package static let usualLimits = Transport.Limits(
        connectTimeout: .seconds(5),
        answerTimeout: .seconds(15),
        bytesMaximum: 16 << 20
    )

    /// Of a list: more than any store has of us.
    private static let pagesMaximum = 1000

    private init(
        _ place: StorePlace,
        _ transport: Transport,
        _ now: @escaping @Sendable () -> Instant
    ) {
        self.place = place
        self.transport = transport
        self.now = now
        signer = place.credentials.map { RequestSigner($0, region: place.region, service: "s3") }
    }

    /// Keeps connections for as long as the body runs; the clock dates signatures.
    package static func with<Result: Sendable>(
        _ place: StorePlace,
        limits: Transport.Limits = usualLimits,
        trusting authorities: CertificateAuthorities? = nil,
        now: @escaping @Sendable () -> Instant,
        _ body: (ObjectStore) async throws -> Result
    ) async throws -> Result {
        try await Transport.with(limits, trusting: authorities) { transport in
            try await body(ObjectStore(place, transport, now))
        }
    }

    /// What came of asking for an object.
    package enum Reading: Sendable {
        case found(StoredObject)
        case absent
        /// It is still the version that is known already.
        case unchanged
    }

    /// The object with its body, unless it has the tag.
    package func object(
        _ key: String,
        unless tag: String? = nil
    ) async throws(StoreFailure) -> Reading {
        let condition = tag.map { [(name: "if-none-match", value: $0)] }
        let answer = try await send(.get, key, headers: condition ?? [])
        switch answer.status {
        case 200:
            guard let object = StoredObject(answer) else { throw StoreFailure(answer) }
            return .found(object)
        case 304: return .unchanged
        case 404: return try absence(answer)
        default: throw StoreFailure(answer)
        }
    }

    /// The object without its body; `nil` where there is none.
    package func head(_ key: String) async throws(StoreFailure) -> StoredObject? {
        let answer = try await send(.head, key)
        switch answer.status {
        case 200:
            guard let object = StoredObject(answer) else { throw StoreFailure(answer) }
            return object
        case 404: return nil
        default: throw StoreFailure(answer)
        }
    }

    /// Writes the object with its metadata, if the condition holds; answers whether it did.
    package func put(
        _ object: NewObject,
        _ key: String,
        if condition: PutCondition
    ) async throws(StoreFailure) -> Bool {
        var headers = [
            (name: "content-type", value: object.mediaType),
            (name: "cache-control", value: object.cacheControl), condition.header,
        ]
        headers += object.metadata
        let answer = try await send(.put, key, headers: headers, body: object.body)
        switch (answer.status, condition) {
        case (200..<300, _): return true
        // 409: another write was under way. 404: what had the tag was deleted.
        case (409, _), (412, _), (404, .unchanged): return false
        default: throw StoreFailure(answer)
        }
    }

    /// Takes the object away if it is still the version of this tag; answers whether it is gone.
    package func delete(_ key: String, if tag: String) async throws(StoreFailure) -> Bool {
        let answer = try await send(.delete, key, headers: [(name: "if-match", value: tag)])
        switch answer.status {
        case 200..<300, 404: return true
        case 409, 412: return false
        default: throw StoreFailure(answer)
        }
    }

    /// The keys that begin so, however many there are; a store names some hundred at a time.
    package func keys(
        under prefix: String,
        atATime count: Int? = nil
    ) async throws(StoreFailure) -> [String] {
        var keys: [String] = []
        var token: String?
        for _ in 1...Self.pagesMaximum {
            let page = try await page(of: prefix, after: token, count)
            keys += page.keys
            guard let next = page.next else { return keys }
            token = next
        }
        throw .noAnswer("its list has no end")
    }

    private func page(
        of prefix: String,
        after token: String?,
        _ count: Int?
    ) async throws(StoreFailure) -> StoreList {
        var query = token.map { [(name: "continuation-token", value: $0)] } ?? []
        query.append((name: "list-type", value: "2"))
        if let count { query.append((name: "max-keys", value: "\(count)")) }
        query.append((name: "prefix", value: place.address.prefix + prefix))
        let answer = try await send(.get, path: place.bucketPath, query)
        guard answer.status == 200 else { throw StoreFailure(answer) }
        guard let page = StoreList(answer.body, under: place.address.prefix) else {
            throw .noAnswer("its list is not whole")
        }
        return page
    }

    /// A store without the bucket is not one without the object.
    private func absence(_ answer: WebAnswer) throws(StoreFailure) -> Reading {
        let failure = StoreFailure(answer)
        if case .refused(_, "NoSuchBucket") = failure { throw failure }
        return .absent
    }

    private func send(
        _ method: WebRequest.Method,
        _ key: String,
        headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil
    ) async throws(StoreFailure) -> WebAnswer {
        try await send(method, path: place.path(key), [], headers, body)
    }

    /// A request about a part of an object.
    func send(
        _ method: WebRequest.Method,
        _ key: String,
        _ query: [(name: String, value: String)],
        _ headers: [(name: String, value: String)] = [],
        _ body: [UInt8]? = nil
    ) async throws(StoreFailure) -> WebAnswer {
        try await send(method, path: place.path(key), query, headers, body)
    }

    private func send(
        _ method: WebRequest.Method,
        path: String,
        _ query: [(name: String, value: String)],
        _ headers: [(name: String, value: String)] = [],
        _ body: [UInt8]? = nil
    ) async throws(StoreFailure) -> WebAnswer {
        var request = AmazonRequest(method.rawValue, place.origin, path)
        request.query = query.map {
            AmazonRequest.Field(ServiceAddress.encoded($0.name), ServiceAddress.encoded($0.value))
        }
        request.headers = headers.map { AmazonRequest.Field($0.name, $0.value) }
        request.body = body ?? []
        let sent =
            signer?.headers(for: request, at: now())
            ?? request.headers + [AmazonRequest.Field("Host", request.host)]
        do throws(AdminError) {
            return try await transport.send(
                WebRequest(
                    method,
                    request.url,
                    headers: sent.map { (name: $0.name, value: $0.value) },
                    body: body
                )
            )
        } catch {
            throw StoreFailure(error)
        }
    }
}

/// An object as a store has it; asked for its head only, it has no body.
package struct StoredObject: Sendable {
    /// Its entity tag, quotes and all, which conditions name it by.
    package let tag: String
    package let body: [UInt8]
    private let answer: WebAnswer

    /// `nil` where the store does not say which version it is.
    init?(_ answer: WebAnswer) {
        guard let tag = answer.header("ETag") else { return nil }
        self.tag = tag
        body = answer.body
        self.answer = answer
    }

    package func header(_ name: String) -> String? { answer.header(name) }
}

/// An object as it is to be.
package struct NewObject: Sendable {
    package let body: [UInt8]
    package let mediaType: String
    package let cacheControl: String
    /// Headers that the store keeps with the body and answers with it.
    package let metadata: [(name: String, value: String)]

    package init(
        _ body: [UInt8],
        mediaType: String,
        cacheControl: String,
        metadata: [(name: String, value: String)] = []
    ) {
        self.body = body
        self.mediaType = mediaType
        self.cacheControl = cacheControl
        self.metadata = metadata
    }
}

/// What has to be so for an object to be written.
package enum PutCondition: Equatable, Sendable {
    /// There is nothing under its key.
    case absent
    /// What is there is still the version of this tag.
    case unchanged(tag: String)

    var header: (name: String, value: String) {
        switch self {
        case .absent: ("if-none-match", "*")
        case .unchanged(let tag): ("if-match", tag)
        }
    }
}

/// Why a store did not do what it was asked.
package enum StoreFailure: Error, Hashable, Sendable {
    /// There was no connection, so nothing was asked.
    case unreachable(String)
    /// No answer came, or half of one; what became of a write is not known.
    case noAnswer(String)
    /// The store said no; the code is its own word for it, empty where it said none.
    case refused(status: Int, code: String)
    case cancelled

    init(_ error: AdminError) {
        switch error.kind {
        case .unreachable(let cause): self = .unreachable(cause)
        case .interrupted(let cause): self = .noAnswer(cause)
        case .timedOut(let limit): self = .noAnswer("nothing came within \(limit)")
        case .answerTooLarge(let maximum): self = .noAnswer("it was longer than \(maximum) bytes")
        case .cancelled: self = .cancelled
        case .refused, .notUnderstood: self = .refused(status: error.status ?? 0, code: "")
        }
    }

    init(_ answer: WebAnswer) {
        self = .refused(status: answer.status, code: Self.code(in: answer.body))
    }

    /// Whether a write may have happened although nobody said so.
    package var leavesOutcomeOpen: Bool {
        switch self {
        case .noAnswer: true
        case .refused(let status, _): status >= 500
        case .unreachable, .cancelled: false
        }
    }

    /// `<Code>…</Code>` in what a store says of an error.
    private static func code(in body: [UInt8]) -> String {
        let text = String(decoding: body.prefix(4096), as: UTF8.self)
        guard
            let start = text.firstRange(of: "<Code>")?.upperBound,
            let end = text[start...].firstRange(of: "</Code>")?.lowerBound
        else { return "" }
        let code = text[start..<end]
        let isWord = code.utf8.allSatisfy { byte in
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || (0x30...0x39).contains(byte)
        }
        return isWord && code.utf8.count <= 64 ? String(code) : ""
    }
}

extension StoreFailure: CustomStringConvertible {
    /// The same for the same failure: it stands in the record.
    package var description: String {
        switch self {
        case .unreachable(let cause): "it cannot be reached: \(cause)"
        case .noAnswer(let cause): "it did not answer: \(cause)"
        case .refused(let status, ""): "it answered \(status)"
        case .refused(let status, let code): "it answered \(status) (\(code))"
        case .cancelled: "it was given up"
        }
    }
}

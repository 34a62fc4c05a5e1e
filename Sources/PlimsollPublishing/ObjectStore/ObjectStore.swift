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
        let answer = try await send(.get, key, condition ?? [])
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
        let answer = try await send(.put, key, headers, body: object.body)
        switch (answer.status, condition) {
        case (200..<300, _): return true
        // 409: another write was under way. 404: what had the tag was deleted.
        case (409, _), (412, _), (404, .unchanged): return false
        default: throw StoreFailure(answer)
        }
    }

    /// Takes the object away if it is still the version of this tag; answers whether it is gone.
    package func delete(_ key: String, if tag: String) async throws(StoreFailure) -> Bool {
        let answer = try await send(.delete, key, [(name: "if-match", value: tag)])
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
        return StoreList(answer.body, under: place.address.prefix)
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
        _ headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil
    ) async throws(StoreFailure) -> WebAnswer {
        try await send(method, path: place.path(key), [], headers, body)
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

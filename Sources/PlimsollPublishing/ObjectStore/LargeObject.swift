import PlimsollAPI

/// An object that is too large to be held in memory, and has to be whole before anybody sees it.
///
/// A store shows what is written in parts once all of them are there, and drops the parts of what was
/// given up when its bucket's rules say so.
package struct LargeObject: Sendable {
    package let size: Int64
    package let mediaType: String
    package let cacheControl: String
    /// Headers that the store keeps with the body, and answers with it.
    package let metadata: [(name: String, value: String)]
    /// Some bytes from a place on; throws where they cannot be read.
    package let bytes: @Sendable (_ place: Int64, _ count: Int) throws -> [UInt8]

    package init(
        size: Int64,
        mediaType: String,
        cacheControl: String,
        metadata: [(name: String, value: String)],
        bytes: @escaping @Sendable (_ place: Int64, _ count: Int) throws -> [UInt8]
    ) {
        (self.size, self.mediaType, self.cacheControl) = (size, mediaType, cacheControl)
        (self.metadata, self.bytes) = (metadata, bytes)
    }

    /// What is no larger goes out in one request.
    package static let partSize = 8 << 20
    /// Amazon takes 10 000 of an object.
    private static let partsMaximum: Int64 = 9000

    /// How large each part is but the last.
    var partSize: Int {
        let least = size / Self.partsMaximum + 1
        return max(Self.partSize, Int(least))
    }

    var headers: [(name: String, value: String)] {
        [
            (name: "content-type", value: mediaType),
            (name: "cache-control", value: cacheControl),
        ] + metadata
    }
}

extension ObjectStore {
    /// Writes the object where there is none yet; answers whether it did.
    ///
    /// `progress` is told how much the store has. A part that fails is sent again after `pause`, some
    /// times; what is given up leaves nothing that anybody could fetch.
    package func put(
        _ object: LargeObject,
        _ key: String,
        pause: (Int) async throws -> Void,
        progress: (Int64) -> Void = { _ in }
    ) async throws -> Bool {
        guard object.size > LargeObject.partSize else {
            let small = NewObject(
                object.size == 0 ? [] : try object.bytes(0, Int(object.size)),
                mediaType: object.mediaType,
                cacheControl: object.cacheControl,
                metadata: object.metadata
            )
            return try await put(small, key, if: .absent)
        }
        let upload = try await begin(object, key)
        do {
            let tags = try await parts(of: object, key, upload, pause, progress)
            let isWritten = try await complete(key, upload, tags)
            if !isWritten { await abort(upload, of: key) }
            return isWritten
        } catch {
            // The first error is the one that explains.
            await abort(upload, of: key)
            throw error
        }
    }

    /// Lets go of parts that nobody will fetch; the bucket's rules sweep what stays.
    private func abort(_ upload: String, of key: String) async {
        _ = try? await send(.delete, key, [(name: "uploadId", value: upload)])
    }

    private func begin(_ object: LargeObject, _ key: String) async throws(StoreFailure) -> String {
        let query = [(name: "uploads", value: "")]
        let answer = try await send(.post, key, query, object.headers, [])
        guard answer.status == 200 else { throw StoreFailure(answer) }
        guard let upload = StoreList.elements("UploadId", in: answer.body).first, !upload.isEmpty
        else { throw .noAnswer("it names no upload") }
        return upload
    }

    private func parts(
        of object: LargeObject,
        _ key: String,
        _ upload: String,
        _ pause: (Int) async throws -> Void,
        _ progress: (Int64) -> Void
    ) async throws -> [String] {
        var tags: [String] = []
        var place: Int64 = 0
        while place < object.size {
            let count = Int(min(Int64(object.partSize), object.size - place))
            let bytes = try object.bytes(place, count)
            let query = [
                (name: "partNumber", value: "\(tags.count + 1)"), (name: "uploadId", value: upload),
            ]
            tags.append(try await part(bytes, key, query, pause))
            place += Int64(count)
            progress(place)
        }
        return tags
    }

    private static let attemptsMaximum = 5

    /// A part that was taken twice counts once: it has a number.
    private func part(
        _ bytes: [UInt8],
        _ key: String,
        _ query: [(name: String, value: String)],
        _ pause: (Int) async throws -> Void
    ) async throws -> String {
        var attempt = 1
        while true {
            do throws(StoreFailure) {
                let answer = try await send(.put, key, query, [], bytes)
                guard answer.status == 200 else { throw StoreFailure(answer) }
                guard let tag = answer.header("ETag") else {
                    throw .noAnswer("it gives a part no tag")
                }
                return tag
            } catch {
                guard attempt < Self.attemptsMaximum, error.mayPass else { throw error }
            }
            try await pause(attempt)
            attempt += 1
        }
    }

    /// The store may answer 200 and say only then that it failed.
    private func complete(
        _ key: String,
        _ upload: String,
        _ tags: [String]
    ) async throws(StoreFailure) -> Bool {
        let parts = tags.enumerated().map { number, tag in
            "<Part><PartNumber>\(number + 1)</PartNumber><ETag>\(tag)</ETag></Part>"
        }
        let body = "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>"
        let answer = try await send(
            .post,
            key,
            [(name: "uploadId", value: upload)],
            [PutCondition.absent.header],
            Array(body.utf8)
        )
        switch answer.status {
        case 409, 412: return false
        case 200 where !StoreList.elements("ETag", in: answer.body).isEmpty: return true
        default: throw StoreFailure(answer)
        }
    }
}

extension StoreFailure {
    /// Whether the same may go better in a while.
    fileprivate var mayPass: Bool {
        switch self {
        case .unreachable, .noAnswer: true
        case .refused(let status, _): status == 429 || status >= 500
        case .cancelled: false
        }
    }
}

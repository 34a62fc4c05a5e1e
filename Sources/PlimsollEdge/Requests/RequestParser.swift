/// Reads the head of one request, more strictly than HTTP libraries do.
///
/// Whatever two servers in a row could understand differently is refused, since that is what
/// request smuggling lives on: bare line breaks, folded fields, blanks around names, doubtful
/// lengths, doubled hosts. It makes no strings and no dictionary; it notes where things are.
///
/// Bytes are judged as they come, so nonsense is refused before its line has ended.
struct RequestParser {
    private let end: Int
    /// The window was cut at the greatest size a head may have.
    private let isCut: Bool
    private let limits: EdgeLimits
    private var index: Int
    private var head = RequestHead()
    private var fields = FieldNotes()

    /// Reads the request that begins at `start`; `incomplete` asks for more bytes.
    @inline(__always)
    static func parse(
        _ bytes: Span<UInt8>,
        from start: Int,
        limits: EdgeLimits
    ) throws(ParseInterruption) -> RequestHead {
        var parser = RequestParser(count: bytes.count, start: start, limits: limits)
        return try parser.parse(bytes)
    }

    private init(count: Int, start: Int, limits: EdgeLimits) {
        index = start
        end = min(count, start + limits.headSizeMaximum)
        isCut = end < count
        self.limits = limits
    }

    private mutating func parse(_ bytes: Span<UInt8>) throws(ParseInterruption) -> RequestHead {
        // RFC 9112, section 2.2: an empty line before a request is a leftover of the last one.
        if try peek(bytes) == .carriageReturn { try skipLineEnd(bytes) }
        try readMethod(bytes)
        let target = try readTarget(bytes)
        try readVersion(bytes)
        while try peek(bytes) != .carriageReturn {
            try readField(bytes)
        }
        try skipLineEnd(bytes)
        try conclude(bytes, target)
        return head
    }

    // MARK: Bytes

    @inline(__always)
    private func peek(_ bytes: Span<UInt8>) throws(ParseInterruption) -> UInt8 {
        guard index < end else { throw isCut ? .refused(.headTooLarge) : .incomplete }
        return bytes[index]
    }

    @inline(__always)
    private mutating func skip(
        _ byte: UInt8,
        _ bytes: Span<UInt8>
    ) throws(ParseInterruption) {
        guard try peek(bytes) == byte else { throw .refused(.malformed) }
        index += 1
    }

    @inline(__always)
    private mutating func skipLineEnd(_ bytes: Span<UInt8>) throws(ParseInterruption) {
        try skip(.carriageReturn, bytes)
        try skip(.lineFeed, bytes)
    }

    // MARK: Request line

    private mutating func readMethod(_ bytes: Span<UInt8>) throws(ParseInterruption) {
        var letters: UInt64 = 0
        var count = 0
        while try peek(bytes) != .space {
            guard ByteClass.token.contains(bytes[index]), count < Self.methodLengthMaximum else {
                throw .refused(.malformed)
            }
            // Methods are the one name whose letter case counts.
            letters = letters << 8 | UInt64(bytes[index])
            count += 1
            index += 1
        }
        guard count > 0 else { throw .refused(.malformed) }
        index += 1
        switch (letters, count) {
        case (0x474554, 3): head.method = .get
        case (0x4845_4144, 4): head.method = .head
        case (0x504F_5354, 4): head.method = .post
        default: head.method = .other
        }
    }

    private mutating func readTarget(
        _ bytes: Span<UInt8>
    ) throws(ParseInterruption) -> Range<Int> {
        let start = index
        while try peek(bytes) != .space {
            guard ByteClass.target.contains(bytes[index]) else { throw .refused(.malformed) }
            index += 1
            guard index - start <= limits.targetLengthMaximum else {
                throw .refused(.targetTooLong)
            }
        }
        guard index > start else { throw .refused(.malformed) }
        let target = start..<index
        index += 1
        return target
    }

    /// Eight bytes, `HTTP/1.1`, and the end of the line.
    private mutating func readVersion(_ bytes: Span<UInt8>) throws(ParseInterruption) {
        try skip(0x48, bytes)
        try skip(0x54, bytes)
        try skip(0x54, bytes)
        try skip(0x50, bytes)
        try skip(.slash, bytes)
        let major = try readDigit(bytes)
        try skip(0x2E, bytes)
        let minor = try readDigit(bytes)
        try skipLineEnd(bytes)
        guard major == 1, minor <= 1 else { throw .refused(.versionNotSupported) }
        fields.isOldVersion = minor == 0
    }

    private mutating func readDigit(_ bytes: Span<UInt8>) throws(ParseInterruption) -> UInt8 {
        let digit = try peek(bytes)
        guard digit.isDigit else { throw .refused(.malformed) }
        index += 1
        return digit - 0x30
    }

    // MARK: Fields

    private mutating func readField(_ bytes: Span<UInt8>) throws(ParseInterruption) {
        fields.count += 1
        guard fields.count <= limits.fieldCountMaximum else { throw .refused(.headTooLarge) }
        let start = index
        var name = PackedName()
        while try peek(bytes) != .colon {
            // A blank fails here too: no folded lines, no blank before the colon.
            guard ByteClass.token.contains(bytes[index]) else { throw .refused(.malformed) }
            name.append(bytes[index])
            index += 1
        }
        guard index > start else { throw .refused(.malformed) }
        index += 1
        let value = try readValue(bytes)
        if let field = KnownField(name, firstByte: bytes[start]) {
            try fields.note(field, bytes, value, in: &head)
        }
    }

    private mutating func readValue(
        _ bytes: Span<UInt8>
    ) throws(ParseInterruption) -> Range<Int> {
        while try peek(bytes).isBlank { index += 1 }
        let start = index
        var last = start
        while true {
            let byte = try peek(bytes)
            guard byte.isFieldContent else { break }
            index += 1
            if !byte.isBlank { last = index }
        }
        try skipLineEnd(bytes)
        return start..<last
    }

    // MARK: The whole

    private mutating func conclude(
        _ bytes: Span<UInt8>,
        _ target: Range<Int>
    ) throws(ParseInterruption) {
        do {
            try fields.conclude(in: &head)
            head.target = try RequestTarget.path(bytes, target, method: head.method)
            // It counts before the field (RFC 9112, section 3.2.2).
            if let host = RequestTarget.host(bytes, target, before: head.target) {
                head.host = host
            }
        } catch {
            throw .refused(error)
        }
        head.end = index
        if head.isChunked { head.bodyLength = firstChunkLength(bytes) }
        head.isBodyTooLarge = head.bodyLength > limits.bodySizeMaximum
    }

    /// What the first chunk says of itself, as far as it came with the head.
    private func firstChunkLength(_ bytes: Span<UInt8>) -> UInt64 {
        var length: UInt64 = 0
        var next = index
        while next < bytes.count, bytes[next].isHexDigit, length <= limits.bodySizeMaximum {
            length = length << 4 | UInt64(bytes[next].hexDigitValue)
            next += 1
        }
        return length
    }

    private static let methodLengthMaximum = 32
}

/// What the answer depends on, of a request that was well-formed throughout.
struct RequestHead {
    enum Method {
        case get, head, post, other
    }

    var method = Method.other
    /// Where the path stands among the bytes, with its query if there is one.
    var target = 0..<0
    /// Where the name of the host stands, with its port if there is one; empty in old requests.
    var host = 0..<0
    /// Where its body begins, or the next request.
    var end = 0
    /// Whether the client keeps the connection after a request that was read whole.
    ///
    /// HTTP/1.0 clients never do here: the ready-made answers lack the field that tells them.
    var isPersistent = true
    /// As it announces itself; of documents nobody will read it.
    var bodyLength: UInt64 = 0
    var isChunked = false
    /// It sends its body when it is told to.
    var expectsInvitation = false
    var isBodyTooLarge = false
    /// The values of the `Authorization` fields.
    var authorizations: [Range<Int>] = []
    var encodings = AcceptedEncodings()
    /// The values of the `If-None-Match` fields; practically always none or one.
    var conditions: [Range<Int>] = []
    /// The values of the `Range` fields.
    var ranges: [Range<Int>] = []
    /// The values of the `If-Range` fields.
    var rangeConditions: [Range<Int>] = []

    /// Whether another request may follow although nobody reads the body.
    var keepsConnection: Bool { isPersistent && !hasBody }

    var hasBody: Bool { isChunked || bodyLength > 0 }
}

/// Why a request is answered without looking at what it asks for.
///
/// Each of them ends the connection: after bytes that were not understood, nobody knows where
/// the next request begins.
package enum RequestRefusal: Error, Equatable, Sendable, CaseIterable {
    /// 400: not HTTP, or in a form that two servers could read in two ways.
    case malformed
    /// 408: the head did not arrive in time.
    case tooSlow
    /// 414: the target is longer than any of ours.
    case targetTooLong
    /// 417: an expectation other than `100-continue`.
    case expectationUnknown
    /// 431: the head is too large, or has too many fields.
    case headTooLarge
    /// 503: more connections than this server was told to hold.
    case tooManyConnections
    /// 505: neither HTTP/1.1 nor HTTP/1.0.
    case versionNotSupported
}

/// Why the parser stopped before the end of a head.
enum ParseInterruption: Error, Equatable {
    /// All that is there is well-formed; the rest has not come yet.
    case incomplete
    case refused(RequestRefusal)
}

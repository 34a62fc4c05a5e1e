/// What the fields of one head have said so far, for the rules that need more than one of them.
struct FieldNotes {
    var count = 0
    var isOldVersion = false
    private var hostCount = 0
    private var contentLength: UInt64?
    private(set) var isChunked = false
    private var asksToClose = false
    private var expectsUnknown = false

    mutating func note(
        _ field: KnownField,
        _ bytes: Span<UInt8>,
        _ value: Range<Int>,
        in head: inout RequestHead
    ) throws(ParseInterruption) {
        switch field {
        case .acceptEncoding: head.encodings.read(bytes, value)
        case .connection: noteConnection(bytes, value)
        case .contentLength: try noteContentLength(bytes, value)
        case .expect: noteExpectation(bytes, value)
        case .host:
            try noteHost(bytes, value)
            head.host = value
        case .ifNoneMatch: head.conditions.append(value)
        case .transferEncoding: try noteTransferEncoding(bytes, value)
        }
    }

    /// The rules about fields that are there or not, or there together.
    func conclude(in head: inout RequestHead) throws(RequestRefusal) {
        guard hostCount == 1 || isOldVersion && hostCount == 0 else { throw .malformed }
        if isChunked {
            // The pair is how smuggled requests are made; HTTP/1.0 knows no codings.
            guard contentLength == nil, !isOldVersion else { throw .malformed }
        }
        if expectsUnknown, !isOldVersion { throw .expectationUnknown }
        head.bodyLength = contentLength ?? 0
        head.keepsConnection =
            !isOldVersion && !asksToClose && !isChunked && head.bodyLength == 0
    }

    private mutating func noteHost(
        _ bytes: Span<UInt8>,
        _ value: Range<Int>
    ) throws(ParseInterruption) {
        hostCount += 1
        // RFC 9110, section 4.2.1: an `http` address without a host is not one.
        guard hostCount == 1, !value.isEmpty else { throw .refused(.malformed) }
        for index in value where !ByteClass.host.contains(bytes[index]) {
            throw .refused(.malformed)
        }
    }

    /// Even the same length twice is refused: who repeats it has something to hide.
    private mutating func noteContentLength(
        _ bytes: Span<UInt8>,
        _ value: Range<Int>
    ) throws(ParseInterruption) {
        guard contentLength == nil, (1...18).contains(value.count) else {
            throw .refused(.malformed)
        }
        var length: UInt64 = 0
        for index in value {
            guard bytes[index].isDigit else { throw .refused(.malformed) }
            length = length * 10 + UInt64(bytes[index] - 0x30)
        }
        contentLength = length
    }

    private mutating func noteTransferEncoding(
        _ bytes: Span<UInt8>,
        _ value: Range<Int>
    ) throws(ParseInterruption) {
        guard !isChunked, isToken(bytes, value), PackedName(bytes, value) == .chunked else {
            throw .refused(.malformed)
        }
        isChunked = true
    }

    private mutating func noteConnection(_ bytes: Span<UInt8>, _ value: Range<Int>) {
        var option = PackedName()
        for index in value {
            switch bytes[index] {
            case .comma:
                asksToClose = asksToClose || option == .close
                option = PackedName()
            case let byte where !byte.isBlank:
                option.append(byte)
            default:
                break
            }
        }
        asksToClose = asksToClose || option == .close
    }

    private mutating func noteExpectation(_ bytes: Span<UInt8>, _ value: Range<Int>) {
        guard isToken(bytes, value), PackedName(bytes, value) == .hundredContinue else {
            expectsUnknown = true
            return
        }
    }

    /// Only of tokens is it true that equal packed names are equal names.
    private func isToken(_ bytes: Span<UInt8>, _ value: Range<Int>) -> Bool {
        for index in value where !ByteClass.token.contains(bytes[index]) { return false }
        return true
    }
}

/// What the answer depends on, of a request that was well-formed throughout.
struct RequestHead {
    enum Method {
        case get, head, other
    }

    var method = Method.other
    /// Where the path stands among the bytes, with its query if there is one.
    var target = 0..<0
    /// Where the name of the host stands, with its port if there is one; empty in old requests.
    var host = 0..<0
    /// Where the next request begins.
    var end = 0
    /// Whether the client keeps the connection.
    ///
    /// HTTP/1.0 clients never do here: the ready-made answers lack the field that tells them.
    var keepsConnection = true
    /// As it announces itself; nobody will read it.
    var bodyLength: UInt64 = 0
    var isBodyTooLarge = false
    var encodings = AcceptedEncodings()
    /// The values of the `If-None-Match` fields; practically always none or one.
    var conditions: [Range<Int>] = []
}

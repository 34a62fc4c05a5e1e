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

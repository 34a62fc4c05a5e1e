/// Why a document was not fetched, not accepted, or not kept.
///
/// No error ever stops an app: the last good document goes on, and without one the app runs.
public struct AvailabilityError: Error, Hashable, Sendable {
    /// The kinds of errors; there may be more in later versions.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// A stable name, for logs and metrics.
        public let description: String

        /// No answer came: no network, no such host, connection refused or broken.
        public static let unreachable = Code(description: "unreachable")
        /// The whole answer did not come in time.
        public static let timedOut = Code(description: "timedOut")
        /// The answer leads elsewhere; documents are never fetched from another address.
        public static let redirected = Code(description: "redirected")
        /// The answer has a status other than 200 and 304.
        public static let unexpectedStatus = Code(description: "unexpectedStatus")
        /// The body is longer than is allowed.
        public static let tooLarge = Code(description: "tooLarge")
        /// A header with the signature or its date is missing.
        public static let signatureMissing = Code(description: "signatureMissing")
        /// A header with the signature or its date has another form than the service writes.
        public static let signatureMalformed = Code(description: "signatureMalformed")
        /// The signature names a key that is not pinned.
        public static let keyUnknown = Code(description: "keyUnknown")
        /// The signature does not fit the bytes.
        public static let signatureWrong = Code(description: "signatureWrong")
        /// The bytes are signed, but are no document that this client understands.
        public static let documentMalformed = Code(description: "documentMalformed")
        /// The document is of another app.
        public static let anotherApp = Code(description: "anotherApp")
        /// The document is for another platform.
        public static let anotherPlatform = Code(description: "anotherPlatform")
        /// A document with a higher sequence has been seen.
        public static let lowerSequence = Code(description: "lowerSequence")
        /// The same sequence has been seen with other content.
        public static let contradiction = Code(description: "contradiction")
        /// The document was issued later than it is now.
        public static let fromTheFuture = Code(description: "fromTheFuture")
        /// The document could not be written to the folder; it counts until the app ends.
        public static let notKept = Code(description: "notKept")
        /// What the client was given cannot work: a key, a slug, an address.
        public static let configurationWrong = Code(description: "configurationWrong")
    }

    /// What kind of error it is.
    public let code: Code
    /// A sentence for logs, in English.
    public let description: String
    /// How long the service asks to be left alone, in seconds.
    let retryAfter: Double?

    /// For transports of your own.
    public init(_ code: Code, _ sentence: String) {
        self.init(code, sentence, retryAfter: nil)
    }

    init(_ code: Code, _ sentence: String, retryAfter: Double?) {
        self.code = code
        description = sentence
        self.retryAfter = retryAfter
    }

    /// Whatever a transport throws that is none of ours.
    init(wrapping error: any Error) {
        let sentence = "The service could not be reached: \(error)"
        self = error as? AvailabilityError ?? AvailabilityError(.unreachable, sentence)
    }

    static func malformed(_ sentence: String) -> AvailabilityError {
        AvailabilityError(.documentMalformed, "The document cannot be read. \(sentence)")
    }
}

extension AvailabilityError: CustomStringConvertible {}

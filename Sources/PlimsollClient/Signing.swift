import Crypto
public import Foundation

/// A body as it arrived, with the two headers that sign it; nothing of it is trusted yet.
public struct SignedDocument: Hashable, Sendable {
    /// The name of the header with the key's id and the signature.
    public static let signatureHeader = "x-amz-meta-signature"
    /// The name of the header with the date that is signed with the body.
    public static let dateHeader = "x-amz-meta-signature-date"

    /// The bytes after decompression, otherwise untouched.
    public let body: Data
    /// The value of ``signatureHeader``; `nil` where it is missing.
    public let signature: String?
    /// The value of ``dateHeader``; `nil` where it is missing.
    public let date: String?

    /// Nothing is checked here.
    public init(body: Data, signature: String?, date: String?) {
        self.body = body
        self.signature = signature
        self.date = date
    }

    /// Checks the signature over the bytes of the date, a colon and the body.
    func verify(with keys: PinnedKeys) throws(AvailabilityError) {
        let (keyID, signature) = try parts()
        let date = try signedDate()
        guard let key = keys[keyID] else {
            throw AvailabilityError(
                .keyUnknown,
                "The document is signed with the key \(keyID), which is not pinned."
            )
        }
        var hasher = SHA256()
        hasher.update(data: Data(date.utf8))
        hasher.update(data: [UInt8(ascii: ":")])
        hasher.update(data: body)
        guard key.isValidSignature(signature, for: hasher.finalize()) else {
            throw AvailabilityError(
                .signatureWrong,
                "The signature of the key \(keyID) does not fit the bytes."
            )
        }
    }

    /// Takes `keyId="…",signature="…"` apart: two parts in this order, in double quotes, without
    /// a blank behind the comma, as all shipped phones have always been sent it.
    private func parts() throws(AvailabilityError) -> (String, P256.Signing.ECDSASignature) {
        guard let signature else { throw Self.missing(Self.signatureHeader) }
        let parts = signature.utf8.count <= 256 ? Self.split(signature) : []
        guard
            parts.count == 5, parts[0] == "keyId=", parts[2] == ",signature=", parts[4].isEmpty,
            !parts[1].isEmpty, let der = Data(strictBase64: parts[3]),
            let pair = try? P256.Signing.ECDSASignature(derRepresentation: der)
        else { throw Self.malformed(Self.signatureHeader) }
        return (parts[1], pair)
    }

    /// Takes a text apart at its double quotes, byte by byte where each byte is a character.
    private static func split(_ text: String) -> [String] {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return text.components(separatedBy: "\"")
        }
        return text.utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
    }

    private func signedDate() throws(AvailabilityError) -> String {
        guard let date else { throw Self.missing(Self.dateHeader) }
        guard
            (1...64).contains(date.utf8.count), date.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { throw Self.malformed(Self.dateHeader) }
        return date
    }

    private static func missing(_ header: String) -> AvailabilityError {
        AvailabilityError(.signatureMissing, "The header \(header) is missing.")
    }

    private static func malformed(_ header: String) -> AvailabilityError {
        AvailabilityError(
            .signatureMalformed,
            "The header \(header) is not in the form that the service writes."
        )
    }
}

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
        /// Too few witnesses have seen the snapshot that the document is part of, or nobody shows it.
        public static let notWitnessed = Code(description: "notWitnessed")
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

/// Makes documents of bytes: first the signature, then the content, then where it belongs.
///
/// It has no memory and no clock, so it cannot tell an old document from the newest; a
/// ``AvailabilityClient`` can. Use it by itself for documents that come another way, such as one
/// that is shipped with the app.
public struct DocumentVerifier: Sendable {
    private let keys: PinnedKeys
    private let app: String
    private let platform: Platform

    /// For the documents of one app on one platform.
    public init(keys: PinnedKeys, app: String, platform: Platform) {
        self.keys = keys
        self.app = app
        self.platform = platform
    }

    /// The document, if the bytes are signed with a pinned key and are of this app and platform.
    ///
    /// - Throws: ``AvailabilityError/Code/signatureMissing``,
    ///   ``AvailabilityError/Code/signatureMalformed``, ``AvailabilityError/Code/keyUnknown``,
    ///   ``AvailabilityError/Code/signatureWrong``, ``AvailabilityError/Code/documentMalformed``,
    ///   ``AvailabilityError/Code/anotherApp`` or ``AvailabilityError/Code/anotherPlatform``.
    public func document(
        from signed: SignedDocument
    ) throws(AvailabilityError) -> AvailabilityDocument {
        try signed.verify(with: keys)
        let document = try AvailabilityDocument(parsing: signed.body)
        guard document.stamp.app == app else {
            throw AvailabilityError(
                .anotherApp,
                "The document is of the app \(document.stamp.app.prefix(64)); \(app) is needed."
            )
        }
        guard document.stamp.platform == platform else {
            throw AvailabilityError(
                .anotherPlatform,
                "The document is for \(document.stamp.platform.rawValue);"
                    + " one for \(platform.rawValue) is needed."
            )
        }
        return document
    }
}

/// The public keys that an app trusts, by id.
///
/// Ship them with the app; never fetch them at run time. Pin the key that signs today and the one
/// that comes after it, so that the service can change keys without cutting this app off.
public struct PinnedKeys: Sendable {
    private let keys: [String: P256.Signing.PublicKey]

    /// Takes keys in PEM, as `/distribution/keys/{id}.pem` serves them, by their ids.
    ///
    /// - Throws: ``AvailabilityError/Code/configurationWrong`` where there is no key, or one is no
    ///   P-256 public key in PEM.
    public init(pem: [String: String]) throws(AvailabilityError) {
        var keys: [String: P256.Signing.PublicKey] = [:]
        for (id, text) in pem {
            guard let key = try? P256.Signing.PublicKey(pemRepresentation: text) else {
                throw Self.wrong("The key \(id) is no P-256 public key in PEM.")
            }
            keys[id] = key
        }
        guard !keys.isEmpty else { throw Self.wrong("There is no key to trust.") }
        self.keys = keys
    }

    /// Takes the keys of one app from a copy of the service's `keys.json`.
    ///
    /// Trusted are those that sign or are going to; what is retired or compromised is not.
    ///
    /// - Throws: ``AvailabilityError/Code/configurationWrong`` where the file cannot be read, or
    ///   has no such key of the app.
    public init(keysFile: Data, app: String) throws(AvailabilityError) {
        guard
            let file = try? JSONReader.object(in: keysFile), case .array(let list)? = file["keys"]
        else { throw Self.wrong("The file is no keys.json.") }
        var pem: [String: String] = [:]
        for case .object(let key) in list where key["app"] == .string(app) {
            guard
                let id = key["id"]?.string, let text = key["publicKey"]?.string,
                let state = key["state"]?.string
            else { throw Self.wrong("The file is no keys.json.") }
            if ["added", "active"].contains(state) { pem[id] = text }
        }
        try self.init(pem: pem)
    }

    /// The ids of the keys, in order.
    public var ids: [String] { keys.keys.sorted() }

    subscript(id: String) -> P256.Signing.PublicKey? { keys[id] }

    private static func wrong(_ sentence: String) -> AvailabilityError {
        AvailabilityError(.configurationWrong, sentence)
    }
}

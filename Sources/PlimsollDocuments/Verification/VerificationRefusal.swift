package import PlimsollDomain
package import PlimsollJSON

/// Why something signed is not trusted.
package enum VerificationRefusal: Error, Equatable, Sendable {
    case headerMissing(String)
    case headerMalformed(String)
    /// None of the keys it is signed with is trusted.
    case keyUnknown([KeyID])
    case keyOfAnotherApp(KeyID, AppSlug)
    case signatureWrong(KeyID)
    case signaturesMalformed
    case manifestMalformed([JSONIssue])
    case anotherApp(found: AppSlug, expected: AppSlug)
    /// It was exported to be looked at, and shows the state at this event.
    case inspection(Position)
    case fileMissing(FileName)
    case fileOfAnotherLength(FileName, found: Int, expected: Int)
    case fileOfAnotherDigest(FileName)
    case fileKeyUnknown(FileName, [KeyID])
    case fileSignatureWrong(FileName, KeyID)
}

extension VerificationRefusal {
    /// The file of a snapshot that does not fit; `nil` where it is the manifest, or no snapshot.
    package var file: FileName? {
        switch self {
        case .fileMissing(let name), .fileOfAnotherLength(let name, _, _),
            .fileOfAnotherDigest(let name), .fileKeyUnknown(let name, _),
            .fileSignatureWrong(let name, _):
            name
        case .headerMissing, .headerMalformed, .keyUnknown, .keyOfAnotherApp, .signatureWrong,
            .signaturesMalformed, .manifestMalformed, .anotherApp, .inspection:
            nil
        }
    }
}

extension VerificationRefusal: CustomStringConvertible {
    /// A sentence that says what was found and what is needed.
    package var description: String {
        switch self {
        case .headerMissing(let name): "The header \(name) is missing."
        case .headerMalformed(let name):
            "The header \(name) is not in the form that phones accept."
        case .keyUnknown(let ids): "It is signed with \(named(ids)), which is not trusted here."
        case .keyOfAnotherApp(let id, let app): "The key \(id) belongs to the app \(app)."
        case .signatureWrong(let id): "The signature of the key \(id) does not fit the bytes."
        case .signaturesMalformed: "The signatures of the manifest cannot be read."
        case .manifestMalformed(let issues):
            "The manifest cannot be read. "
                + issues.map { "\($0.pointer): \($0.detail)" }.joined(separator: " ")
        case .anotherApp(let found, let expected):
            "The manifest is of the app \(found); \(expected) is needed."
        case .inspection(let event):
            "It was exported for inspection and shows the state at event \(event); it is not to be"
                + " published."
        case .fileMissing(let name): "The file \(name) is missing."
        case .fileOfAnotherLength(let name, let found, let expected):
            "The file \(name) has \(found) bytes; the manifest says \(expected)."
        case .fileOfAnotherDigest(let name):
            "The file \(name) is not the one that the manifest names: its SHA-256 differs."
        case .fileKeyUnknown(let name, let ids):
            "The file \(name) is signed with \(named(ids)), which is not trusted here."
        case .fileSignatureWrong(let name, let id):
            "The signature of the key \(id) does not fit the file \(name)."
        }
    }

    private func named(_ ids: [KeyID]) -> String {
        ids.isEmpty
            ? "no key" : "the key " + ids.map(\.text).joined(separator: " and the key ")
    }
}

/// A body whose signature was checked with a trusted key; nothing else makes one.
package struct VerifiedDocument: Equatable, Sendable {
    package let body: [UInt8]
    package let signature: DistributionSignature
}

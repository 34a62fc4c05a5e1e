package import PlimsollDomain
package import PlimsollSystem

/// Why an app's newest documents are not published; what was published before stays served.
package enum PublicationFailure: Error, Equatable, Sendable {
    /// The log knows no active key of the app.
    case noActiveKey(AppSlug)
    case signingKey(SigningKeyError)
    /// The public keys could not be published first.
    case keysNotPublished(FileError)
    /// A key did not sign.
    case signer(KeyID, SignerFailure)
    case disk(FileError)
    /// What lies on the disk under the number is not whole, or not signed by the app's keys.
    case damaged(SnapshotSequence, Path, reason: String)
    /// What lies there is whole, but says something else than the log.
    case foreign(SnapshotSequence, Path)
    /// Something newer was published than the log knows of: the log is older than the export.
    case ahead(published: SnapshotSequence, ordered: SnapshotSequence)
    /// A sink did not take it; the reason is a stable phrase.
    case sink(name: String, reason: String)

    /// A sentence that is the same each time this happens, for the record in the log.
    ///
    /// Names of temporary files and details of the moment stay out: one failure that goes on
    /// is one record, however often it is tried again.
    package var cause: String {
        switch self {
        case .noActiveKey: "the app has no active key"
        case .signingKey(let error): error.cause
        case .keysNotPublished(let error):
            "the public keys could not be published: \(error.cause)"
        case .signer(let id, let failure): "the key \(id) did not sign: \(failure)"
        case .disk(let error): "the export could not be written: \(error.cause)"
        case .damaged(let sequence, _, let reason):
            "snapshot \(sequence) on the disk is damaged: \(reason)"
        case .foreign(let sequence, _): "snapshot \(sequence) on the disk differs from the log"
        case .ahead(let published, _):
            "snapshot \(published) was published, which the log does not know"
        case .sink(let name, let reason): "the \(name) did not take it: \(reason)"
        }
    }
}

extension PublicationFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noActiveKey, .signer, .sink: cause
        case .keysNotPublished(let error):
            "the public keys could not be published: \(error)"
        case .signingKey(let error): error.description
        case .disk(let error): error.description
        case .damaged(_, let path, _):
            "\(cause); it is not served. Move \(path) away and it is written anew"
        case .foreign(_, let path):
            "\(cause); it is not served. Find out which of them is wrong before you move \(path) "
                + "away; where a log was given up, leave it: the next change is published"
        case .ahead(_, let ordered):
            "\(cause): its newest order is \(ordered). An older log was restored, or the export "
                + "belongs to another one; nothing is published until the log has passed it"
        }
    }
}

extension SigningKeyError {
    fileprivate var cause: String {
        switch self {
        case .missing(let id, _): "this instance does not have the private key \(id)"
        case .readableByOthers(let id, _): "the private key \(id) could be read by others"
        case .unreadable(let id, let error):
            "the private key \(id) cannot be read: \(error.cause)"
        case .malformed(let id, _): "the file of the private key \(id) holds no key"
        case .mismatch(let id, _): "the file of the private key \(id) holds another key"
        case .keptElsewhere(let id, let reason):
            "the private key \(id) cannot be used: \(reason)"
        case .notMade(let app, let error): "no key could be made for \(app): \(error.cause)"
        }
    }
}

extension FileError {
    /// What the system said, without the place, which may have a name made for the moment.
    fileprivate var cause: String {
        isOutOfSpace ? "the disk is full" : "\(operation.rawValue) failed with error \(code)"
    }
}

package import PlimsollDomain
package import PlimsollSystem

/// Why a private key cannot be used or made.
package enum SigningKeyError: Error, Equatable, Sendable {
    /// This instance does not have it; another one may.
    case missing(KeyID, Path)
    /// Somebody else could have read it, so what it signs proves nothing.
    case readableByOthers(KeyID, FileError)
    case unreadable(KeyID, FileError)
    /// The file is no P-256 private key in PEM.
    case malformed(KeyID, Path)
    /// The file holds another key than the log says.
    case mismatch(KeyID, Path)
    /// It is in no file of its own, and not to be had where it is; the reason is a phrase that
    /// stays the same.
    case keptElsewhere(KeyID, reason: String)
    case notMade(AppSlug, FileError)
}

extension SigningKeyError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let id, let path):
            "the private key \(id) is not at \(path); restore it from its backup, or export "
                + "from the instance that has it"
        case .readableByOthers(let id, let error):
            "the private key \(id) is not used: \(error)"
        case .unreadable(let id, let error): "the private key \(id) cannot be read: \(error)"
        case .malformed(let id, let path):
            "the private key \(id) at \(path) is not a P-256 key in PEM"
        case .mismatch(let id, let path):
            "the file \(path) holds another key than the log knows as \(id)"
        case .keptElsewhere(let id, let reason):
            "the private key \(id) cannot be used: \(reason)"
        case .notMade(let app, let error): "no key could be made for \(app): \(error)"
        }
    }
}

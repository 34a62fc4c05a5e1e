import PlimsollAPI
package import PlimsollDomain

/// Why a package could not be fetched.
package enum IngestionFailure: Error, Equatable, Sendable {
    case notLetIn(status: Int)
    case unknown(String)
    case answered(status: Int, String)
    case notUnderstood(String)
    /// What App Store Connect says of the version instead of COMPLETED.
    case notReady(String)
    case archive(ArchiveFault)
    case manifest(String)
    /// The manifest is of another app than the marketplaces list.
    case anotherApp(AppleItemID)
    /// A piece of a file has another digest each time it is fetched.
    case wrongDigest(String, chunk: Int)
    case tooLong(String)
    /// However often it was asked for, it did not come whole.
    case incomplete(String)
    /// Something else lies where the package belongs.
    case inTheWay(String)
}

extension IngestionFailure {
    /// How often the same is tried before it is given up; `nil` for what may pass by itself.
    ///
    /// What was announced a moment ago may not be there yet; what was replaced never comes back.
    var attemptsMaximum: Int? {
        switch self {
        case .notReady("REPLACED"): 1
        case .unknown: 10
        case .notLetIn, .answered, .notUnderstood, .notReady, .archive, .manifest, .anotherApp,
            .wrongDigest, .tooLong, .incomplete, .inTheWay:
            nil
        }
    }
}

extension IngestionFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notLetIn(let status):
            "App Store Connect answered \(status): the issuer, the id of the key or the key is wrong, or"
                + " the key's role does not suffice."
        case .unknown(let path): "App Store Connect has no \(path)."
        case .answered(let status, let what): "The answer was \(status) for \(what)."
        case .notUnderstood(let path): "What App Store Connect says of \(path) is not understood."
        case .notReady(let state): "The version is \(state) in App Store Connect, not COMPLETED."
        case .archive(let fault): "The archive with the manifest \(fault)."
        case .manifest(let issues): "The manifest is not one that is known here. \(issues)"
        case .anotherApp(let item):
            "The manifest is of app \(item), under which no marketplace lists this one."
        case .wrongDigest(let path, let chunk):
            "Piece \(chunk) of \(path) has not the digest that the manifest gives."
        case .tooLong(let path): "\(path) is longer than the manifest says."
        case .incomplete(let path): "\(path) did not come whole."
        case .inTheWay(let path): "Something else lies at \(path) already."
        }
    }
}

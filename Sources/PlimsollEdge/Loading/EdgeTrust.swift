package import PlimsollDocuments

/// Whose signatures an edge believes.
package enum EdgeTrust: Sendable {
    /// Keys that the operator gave, since the folder comes from somewhere else.
    case keys(TrustedKeys)

    /// The keys that the folder itself publishes.
    ///
    /// Only for the process that writes the folder: it holds the private keys, so whoever could
    /// forge the list could sign as well. It needs no database to start from disk.
    case exportFolder
}

/// Which generations of Prince of Versions an app's document is for.
package enum PrinceClients: String, CaseIterable, Sendable {
    /// Those since 4.0.
    case modern
    /// Those before it too, which read objects of their own.
    case all
}

/// Whether an app may run, and what is asked of the person.
public enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// Nothing is shown.
    case available
    /// The app runs; an update of the system is recommended.
    case osRecommended
    /// The app runs; an update of it is recommended.
    case appRecommended
    /// The app does not run; the store has a version that does.
    case appTooOldUpdateAvailable
    /// The app does not run, and the store is not known to have a version that does.
    case appTooOld
    /// The app does not run on this version of the system.
    case osTooOld

    /// Whether the app may go on.
    public var runs: Bool {
        switch self {
        case .available, .osRecommended, .appRecommended: true
        case .appTooOldUpdateAvailable, .appTooOld, .osTooOld: false
        }
    }
}

/// What to do on a device, and what to say.
public struct Decision: Hashable, Sendable {
    /// Whether the app may run.
    public let verdict: Verdict
    /// In the best language; `nil` where the document has none, so the app needs one of its own.
    public let title: String?
    /// In the best language; `nil` where there is nothing to say.
    public let description: String?
    /// The BCP 47 tag of the description's language, as the document writes it.
    public let language: String?

    /// What counts where no document has ever been fetched.
    public static let open = Decision(
        verdict: .available,
        title: nil,
        description: nil,
        language: nil
    )
}

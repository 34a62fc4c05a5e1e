package import PlimsollDomain

/// What a responder asks for.
package struct RollbackRequest: Equatable, Sendable {
    package let app: AppSlug
    package let target: RollbackTarget
    /// `nil` means every platform of the app.
    package let platforms: [Platform]?
    /// `nil` means every field; they say their platforms themselves.
    package let fields: [Field]?
    /// `nil` means every threshold; of each all that there is, then and now.
    package let thresholds: [ThresholdPlace]?
    /// Where the caller was told that it leads.
    package let rehearsed: Position?
    package let reason: Reason

    package init(
        app: AppSlug,
        target: RollbackTarget,
        platforms: [Platform]?,
        fields: [Field]? = nil,
        thresholds: [ThresholdPlace]? = nil,
        rehearsed: Position? = nil,
        reason: Reason
    ) {
        self.app = app
        self.target = target
        self.platforms = platforms
        self.fields = fields
        self.thresholds = thresholds
        self.rehearsed = rehearsed
        self.reason = reason
    }

    /// Whether the whole app goes back.
    var isWhole: Bool { platforms == nil && fields == nil && thresholds == nil }
}

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
    /// Of a revert: the fields in which later work stays.
    package let keep: [Field]
    /// Where the caller was told that it leads.
    package let rehearsed: Position?
    /// How many changes of others the caller knows it to take back; `nil` where nobody counted.
    package let undoing: Int?
    package let reason: Reason

    package init(
        app: AppSlug,
        target: RollbackTarget,
        platforms: [Platform]?,
        fields: [Field]? = nil,
        thresholds: [ThresholdPlace]? = nil,
        keep: [Field] = [],
        rehearsed: Position? = nil,
        undoing: Int? = nil,
        reason: Reason
    ) {
        self.app = app
        self.target = target
        self.platforms = platforms
        self.fields = fields
        self.thresholds = thresholds
        self.keep = keep
        self.rehearsed = rehearsed
        self.undoing = undoing
        self.reason = reason
    }

    /// Whether the whole app goes back.
    var isWhole: Bool {
        if case .revert = target { return false }
        return platforms == nil && fields == nil && thresholds == nil
    }
}

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

    /// The fields that are to go back between two states; `nil` means every field.
    func fields(from live: App, to past: PastState) -> [Field]? {
        guard let thresholds else { return fields }
        let named = Set(fields ?? [])
        let places = Set(thresholds)
        let filled = Set(thresholds.map(\.platform)).flatMap { platform in
            (live.document(platform).fields + past.document(platform).fields).filter {
                $0.place.map(places.contains) == true
            }
        }
        let values = thresholds.map { Field($0.platform, $0.name, .value) }
        return (fields ?? []) + Set(filled + values).subtracting(named).sorted()
    }
}

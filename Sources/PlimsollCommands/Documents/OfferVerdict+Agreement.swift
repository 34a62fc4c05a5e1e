import PlimsollDomain

extension OfferVerdict {
    /// Whether clients of Prince of Versions are told, before and after, what the shipped apps show,
    /// and nothing moves for them alone: then it need not be said twice.
    static func saySoToo(
        _ offers: (before: OfferVerdict, after: OfferVerdict),
        where shown: (before: DeviceVerdict, after: DeviceVerdict)
    ) -> Bool {
        offers.before.saysSoToo(where: shown.before) && offers.after.saysSoToo(where: shown.after)
            && (shown.before != shown.after || offers.before == offers.after)
    }

    /// Of a system that is too old offers say nothing.
    private func saysSoToo(where shown: DeviceVerdict) -> Bool {
        switch shown {
        case .available: self == .noUpdate
        case .osRecommended: self != .updateRequired
        case .appRecommended: self == .updateOffered
        case .appTooOldUpdateAvailable, .appTooOld: self == .updateRequired
        case .osTooOld: true
        }
    }
}

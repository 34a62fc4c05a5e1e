import PlimsollAPI
import PlimsollDomain

/// How many of the devices that were counted an app does not run on.
extension Visit {
    /// Each platform whose lines are not the same in both states, with both numbers.
    func fields(of blocked: [BlockedShare]) -> [Fields] {
        blocked.map { share in
            [
                "platform": share.platform.name, "devices": share.devices.description,
                "before": bar(of: share.before, in: share.devices),
                "after": bar(of: share.after, in: share.devices),
                "added": bar(of: share.added, in: share.devices), "isAdded": share.added > 0,
            ]
        }
    }

    /// A part of all devices: as a picture, and in words.
    ///
    /// A plain one is of devices that are as good as any other.
    func bar(of count: Int64, in devices: Int64, isPlain: Bool = false) -> Fields {
        [
            "isPlain": isPlain,
            "count": count.description, "devices": devices.description,
            "words": percentage(of: count, in: devices),
            // To a tenth of a hundredth, which is finer than a screen.
            "width": devices > 0 ? count * 1000 / devices : 0,
        ]
    }

    /// `about 12 %`: counts are of a day that has passed, so no more is said than they bear.
    private func percentage(of count: Int64, in devices: Int64) -> String {
        guard count > 0, devices > 0 else { return language["share.none"] }
        guard count < devices else { return language["share.all"] }
        let percent = (count * 200 + devices) / (devices * 2)
        switch percent {
        case 0: return language["share.less"]
        case 100: return language["share.more"]
        default: return language("share.about", ["percent": percent])
        }
    }
}

package import PlimsollDomain
package import PlimsollJSON

/// The body of a request for restores or for updates.
///
/// ```json
/// {"apps": [{"appleItemId": "10737747186", "appleVersionId": "878123456789"}],
///  "platform": "iOS", "osVersion": "17.4"}
/// ```
///
/// Later systems may say more, so members that are not known are passed over.
package struct DeviceRequest: Equatable, Sendable {
    package let apps: [App]
    package let device: InstallingDevice

    /// An app, and its version that is wanted or installed; `nil` where the device says 0.
    package struct App: Hashable, Sendable {
        package let item: AppleItemID
        package let version: AppleVersionID?

        package init(item: AppleItemID, version: AppleVersionID?) {
            (self.item, self.version) = (item, version)
        }
    }

    /// Each app once, with its newest version: of one that stands there twice nobody could tell which
    /// is installed.
    var installed: [App] {
        guard apps.count > 1 else { return apps }
        var newest: [AppleItemID: AppleVersionID?] = [:]
        for app in apps {
            newest[app.item] = [newest[app.item] ?? nil, app.version].compactMap(\.self).max()
        }
        var seen: Set<AppleItemID> = []
        return apps.filter { seen.insert($0.item).inserted }
            .map { App(item: $0.item, version: newest[$0.item] ?? nil) }
    }

    package static let appsMaximum = 1000
    package static let limits = JSONLimits(sizeMaximum: 1 << 20)

    package init(apps: [App], device: InstallingDevice) {
        (self.apps, self.device) = (apps, device)
    }

    /// One of apps that may stand there twice.
    init(each apps: [App], device: InstallingDevice) {
        guard apps.count > 1 else {
            self.init(apps: apps, device: device)
            return
        }
        var seen: Set<App> = []
        self.init(apps: apps.filter { seen.insert($0).inserted }, device: device)
    }

    /// Reads a body, whatever type it is said to be of; each app once.
    package init(parsing bytes: [UInt8]) throws(JSONIssues) {
        var reader = StraightRequestReader()
        if let request = reader.request(bytes.span) {
            self = request
        } else {
            self = try DeviceRequest(parsingAny: bytes)
        }
    }

    /// Reads a body in whichever way it may be written, and says all that is wrong with it.
    init(parsingAny bytes: [UInt8]) throws(JSONIssues) {
        var reader = try ObjectReader(parsing: bytes, limits: Self.limits)
        reader.isLenient = true
        let platform = reader.string("platform", needing: PackagePlatform.grammar) {
            PackagePlatform($0)
        }
        let system = reader.string("osVersion", needing: AppleVersion.grammar) { AppleVersion($0) }
        // Each of too many would have faults of its own, and say nothing that is worth their room.
        let count = reader.object["apps"]?.array?.count ?? 0
        let isRead = count <= Self.appsMaximum
        let apps = isRead ? Self.apps(in: &reader) : nil
        if let apps, apps.isEmpty { reader.refuse("apps", "There are no apps; one is needed.") }
        if !isRead {
            reader.refuse(
                "apps",
                "There are \(count) apps; at most \(Self.appsMaximum) are answered."
            )
        }
        self = try reader.finish(.ignored) {
            guard let apps, let platform, let system else { return nil }
            return DeviceRequest(
                each: apps,
                device: InstallingDevice(platform: platform, system: system)
            )
        }
    }

    private static func apps(in reader: inout ObjectReader) -> [App]? {
        reader.objects("apps") { app -> App? in
            let item = app.string("appleItemId", needing: AppleItemID.grammar) { AppleItemID($0) }
            let version = app.string("appleVersionId", needing: "0, or \(AppleVersionID.grammar)") {
                $0 == "0" ? Version.none : AppleVersionID($0).map(Version.some)
            }
            guard let item, let version else { return nil }
            return App(item: item, version: version.id)
        }
    }

    private enum Version {
        case none
        case some(AppleVersionID)

        var id: AppleVersionID? {
            if case .some(let id) = self { id } else { nil }
        }
    }
}

import PlimsollDomain
import PlimsollJSON

extension VersionShares {
    /// What ``DataReader/versionShares()`` reads: of each row the app's version, that of the system
    /// or null, and the number of devices.
    func data(on platform: Platform) -> JSONObject {
        [
            "platform": .string(platform.rawValue),
            "rows": .array(
                rows.map { row in
                    [row.app.data, row.system?.data ?? .null, .integer(row.devices)]
                }
            ),
        ]
    }
}

extension DataReader {
    mutating func versionShares() throws(EntryError) -> AppEvent {
        let platform = try text("platform", Platform.init(rawValue:))
        let rows = try list("rows", VersionShares.Row.init(json:))
        return .versionSharesReplaced(platform, VersionShares(rows: rows))
    }
}

extension VersionShares.Row {
    fileprivate init?(json: JSONValue) {
        guard let cells = json.array, cells.count == 3, let app = VersionValue(json: cells[0]),
            let devices = cells[2].integer
        else { return nil }
        let system = VersionValue(json: cells[1])
        guard system != nil || cells[1] == .null else { return nil }
        self.init(app: app, system: system, devices: devices)
    }
}

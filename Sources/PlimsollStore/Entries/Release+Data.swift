import PlimsollDomain
import PlimsollJSON

extension Release {
    /// What ``DataReader/release()`` reads.
    var data: JSONObject {
        var data: JSONObject = [
            "platform": .string(platform.rawValue), "version": version.data,
        ]
        data["build"] = facts.build.map { .string($0.text) }
        data["liveSince"] = facts.liveSince.map { .string($0.rfc3339) }
        data["name"] = facts.name.map { .string($0.text) }
        data["os"] = facts.system?.data
        data["store"] = facts.store.map { .string($0.text) }
        return data
    }
}

extension VersionValue {
    /// A dotted version is a string and an integer version a number.
    var data: JSONValue {
        switch self {
        case .dotted(let version): .string(version.written)
        case .integer(let version): .integer(Int64(version.number))
        }
    }
}

extension DataReader {
    mutating func release() throws(EntryError) -> Release {
        let (platform, version) = try releaseName()
        return Release(
            platform: platform,
            version: version,
            facts: ReleaseFacts(
                name: try optional("name") { $0.string.flatMap(VersionName.init) },
                build: try label("build"),
                system: try optional("os", VersionValue.init(json:)),
                store: try label("store"),
                liveSince: try optional("liveSince") { $0.string.flatMap(Instant.init(rfc3339:)) }
            )
        )
    }

    mutating func releaseName() throws(EntryError) -> (Platform, VersionValue) {
        (
            try text("platform", Platform.init(rawValue:)),
            try member("version", VersionValue.init(json:))
        )
    }

    private mutating func label(_ key: String) throws(EntryError) -> Label? {
        try optional(key) { $0.string.flatMap { try? Label(validating: $0) } }
    }
}

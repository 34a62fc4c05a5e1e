/// What to try, in which order, to get a session.
///
/// libpq would walk a list of hosts by itself, but then a host that never answers would take
/// all the time there is: it heeds no `connect_timeout` when it does not block. And it would
/// resolve names by blocking. So each address is an attempt of its own.
struct ConnectionPlan: Sendable {
    struct Target: Sendable, Hashable {
        let host: String
        let address: String
        let port: String

        /// A name that has to be looked up first.
        var needsResolution: Bool {
            address.isEmpty && !isLocalSocket
        }

        var isLocalSocket: Bool {
            address.isEmpty && (host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@"))
        }

        /// Whether what is said stays in this machine.
        var isLocal: Bool {
            let place = address.isEmpty ? host : address
            return isLocalSocket || place == "localhost" || place == "::1"
                || place.hasPrefix("127.")
        }
    }

    let targets: [Target]
    /// `target_session_attrs` of each walk through the targets.
    let passes: [String]
    /// How long one attempt may take; `nil` is without end.
    let attemptTimeout: Duration?
    private let settings: [String: String]
    private let namesEncryption: Bool

    init(_ connection: ConnectionString, _ session: SessionSettings) throws(PostgresError) {
        let stated = try connection.settings()
        let defaults = ConnectionDefaults.read()
        let all = defaults.merging(stated) { _, new in new }
        targets = try Self.targets(stated: stated, all: all)
        passes = Self.passes(all["target_session_attrs"] ?? "any")
        attemptTimeout = Self.timeout(all["connect_timeout"]) ?? session.connectTimeout
        namesEncryption = stated["sslmode"] != nil || defaults["sslmode"] != "prefer"
        settings = stated.merging(Self.own(stated, session)) { _, new in new }
    }

    /// libpq's settings for one attempt.
    func parameters(
        _ target: Target,
        attributes: String
    ) -> [(keyword: String, value: String)] {
        var settings = settings
        settings["host"] = target.host
        settings["hostaddr"] = target.address
        settings["port"] = target.port
        settings["target_session_attrs"] = attributes
        if !namesEncryption && !target.isLocal {
            settings["sslmode"] = "verify-full"
        }
        return settings.sorted { $0.key < $1.key }.map { (keyword: $0.key, value: $0.value) }
    }

    private static func targets(
        stated: [String: String],
        all: [String: String]
    ) throws(PostgresError) -> [Target] {
        // A stated host is not mixed with an address from the environment, nor the reverse.
        let isStated = stated["host"] != nil || stated["hostaddr"] != nil
        let source = isStated ? stated : all
        let hosts = list(source["host"])
        let addresses = list(source["hostaddr"])
        let ports = list(all["port"])
        let count = max(hosts.count, addresses.count)
        guard hosts.count == addresses.count || hosts == [""] || addresses == [""],
            ports.count == 1 || ports.count == count
        else {
            throw PostgresError(.connectFailed, "hosts, addresses and ports differ in number")
        }
        return (0..<count).map { index in
            Target(
                host: hosts.count == count ? hosts[index] : "",
                address: addresses.count == count ? addresses[index] : "",
                port: ports.count == 1 ? ports[0] : ports[index]
            )
        }
    }

    private static func list(_ value: String?) -> [String] {
        (value ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// libpq knows `prefer-standby` only for a list; for single attempts it is two walks.
    private static func passes(_ attributes: String) -> [String] {
        attributes == "prefer-standby" ? ["standby", "any"] : [attributes]
    }

    /// Negative, zero and nothing mean that the string has no opinion.
    private static func timeout(_ value: String?) -> Duration? {
        guard let seconds = value.flatMap({ Int64($0) }), seconds > 0 else { return nil }
        return .seconds(seconds)
    }

    private static func own(
        _ stated: [String: String],
        _ session: SessionSettings
    ) -> [String: String] {
        var settings = [
            "client_encoding": "UTF8",
            "options": [stated["options"], session.options].compactMap(\.self)
                .joined(separator: " "),
            "fallback_application_name": session.applicationName,
        ]
        // The default, `prefer`, may talk to a Kerberos server, and wait for it.
        if stated["gssencmode"] == nil { settings["gssencmode"] = "disable" }
        return settings
    }
}

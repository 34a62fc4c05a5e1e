import CLibPQ
import Glibc

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

    /// A server that is gone without a word is noticed within eleven seconds; by the defaults of
    /// Linux that takes two hours.
    private static let liveness = [
        "keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "3",
        "tcp_user_timeout": "10000",
    ]

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
        for (name, value) in liveness where stated[name] == nil { settings[name] = value }
        return settings
    }
}

/// How to reach a database, as libpq reads it: `key=value` pairs or a `postgresql://` URI.
///
/// It may hold a password, so its description gives the places and the names only.
package struct ConnectionString: Sendable, Hashable {
    private let text: String
    private let overrides: [String: String]

    package init(_ text: String) {
        self.init(text: text, overrides: [:])
    }

    private init(text: String, overrides: [String: String]) {
        self.text = text
        self.overrides = overrides
    }

    /// The same server and account, with some settings replaced, such as `dbname`.
    package func replacing(_ settings: [String: String]) -> ConnectionString {
        ConnectionString(
            text: text,
            overrides: overrides.merging(settings) { _, new in new }
        )
    }

    package func replacing(database: String) -> ConnectionString {
        replacing(["dbname": database])
    }

    /// The account that the text names; `nil` where the environment or a service file does.
    package var user: String? {
        // Whoever connects is told that it cannot be read.
        (try? settings())?["user"]
    }

    package static let grammar =
        "\"host=… port=… dbname=… user=…\", as libpq reads it, or a postgresql:// URI, in which a / of"
        + " a password is written %2F, and an @ %40"

    package var isReadable: Bool { (try? settings()) != nil }

    /// What the text says, without what the environment adds.
    func settings() throws(PostgresError) -> [String: String] {
        try ConnectionDefaults.parse(text).merging(overrides) { _, new in new }
    }
}

extension ConnectionString: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String {
        // An unreadable text might be a password put in the wrong place.
        guard let settings = try? settings() else { return "unreadable connection string" }
        let shown = ["host", "hostaddr", "port", "dbname", "user"].compactMap { keyword in
            settings[keyword].map { "\(keyword)=\($0)" }
        }
        return shown.joined(separator: " ")
    }

    package var debugDescription: String { description }
}

/// libpq's own reading of connection strings and of the `PG…` environment.
enum ConnectionDefaults {
    /// The settings a connection string holds.
    static func parse(_ text: String) throws(PostgresError) -> [String: String] {
        guard let settings = read(text), !isMisreadURI(text), !hasStrayWords(settings) else {
            throw PostgresError(
                .connectFailed,
                "the connection string cannot be read; it needs to be \(ConnectionString.grammar)"
            )
        }
        return settings
    }

    private static func read(_ text: String) -> [String: String]? {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = unsafe PQconninfoParse(text, &message) else {
            // libpq's message quotes what it could not read, which may be a password.
            unsafe PQfreemem(message)
            return nil
        }
        defer { unsafe PQconninfoFree(options) }
        return unsafe collect(options)
    }

    /// Whether libpq would take a part of a password for a host, a port or a database, which errors
    /// quote: it ends a password at the first `@`, and sees none where a `/` comes before that.
    private static func isMisreadURI(_ text: String) -> Bool {
        guard ["postgresql://", "postgres://"].contains(where: { text.utf8.starts(with: $0.utf8) })
        else { return false }
        let address = text.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3)
            .prefix { $0 != UInt8(ascii: "?") }
        guard let end = address.lastIndex(of: UInt8(ascii: "@")) else { return false }
        let login = address[..<end]
        return login.contains(UInt8(ascii: ":"))
            && (login.contains(UInt8(ascii: "@")) || login.contains(UInt8(ascii: "/")))
    }

    /// Whether a password may stand where errors quote, as in `host=db;password=…`.
    private static func hasStrayWords(_ settings: [String: String]) -> Bool {
        let ports = (settings["port"] ?? "").split(separator: ",")
        let hosts = ["host", "hostaddr"].flatMap { (settings[$0] ?? "").split(separator: ",") }
        return ports.contains { Int($0.filter { !$0.isWhitespace }) == nil }
            || hosts.contains { !"/@".contains($0.prefix(1)) && $0.contains { "@=;".contains($0) } }
            || ["host", "hostaddr", "dbname", "user"].compactMap { settings[$0] }
                .contains { $0.contains("://") || $0.contains("password=") }
    }

    /// The settings that the environment and libpq itself give to what a string leaves out.
    static func read() -> [String: String] {
        guard let options = unsafe PQconndefaults() else { return [:] }
        defer { unsafe PQconninfoFree(options) }
        return unsafe collect(options)
    }

    private static func collect(
        _ options: UnsafeMutablePointer<PQconninfoOption>
    ) -> [String: String] {
        var settings: [String: String] = [:]
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe settings[String(cString: keyword)] = String(cString: value)
            }
            unsafe option += 1
        }
        return settings
    }
}

/// Looks up host names on a thread of its own, as libpq would do it on the caller's.
package enum HostResolution {
    /// The addresses of a host in the system's order, as text; `nil` where that takes too long, and
    /// none where the name is unknown.
    package static func addresses(
        of host: String,
        until deadline: ContinuousClock.Instant
    ) async -> [String]? {
        await DetachedThread.value(until: deadline) { addresses(of: host) }
    }

    /// Answers a target for each address of the host, in the system's order.
    static func resolve(
        _ target: ConnectionPlan.Target,
        until deadline: ContinuousClock.Instant?
    ) async throws(PostgresError) -> [ConnectionPlan.Target] {
        guard target.needsResolution else { return [target] }
        let found = await DetachedThread.value(until: deadline) { addresses(of: target.host) }
        if Task.isCancelled { throw PostgresError(.cancelled) }
        guard let found else { throw PostgresError(.timedOut(.connect)) }
        guard !found.isEmpty else {
            throw PostgresError(.connectFailed, "the host name \(target.host) is unknown")
        }
        return found.map { address in
            ConnectionPlan.Target(host: target.host, address: address, port: target.port)
        }
    }

    private static func addresses(of host: String) -> [String] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
        defer { unsafe freeaddrinfo(first) }
        var addresses: [String] = []
        var next = unsafe first
        while let entry = unsafe next {
            if let address = unsafe numeric(entry.pointee), !addresses.contains(address) {
                addresses.append(address)
            }
            unsafe next = entry.pointee.ai_next
        }
        return addresses
    }

    private static func numeric(_ entry: addrinfo) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { name in
            let failure = unsafe getnameinfo(
                entry.ai_addr,
                entry.ai_addrlen,
                name.baseAddress,
                socklen_t(name.count),
                nil,
                0,
                NI_NUMERICHOST
            )
            guard failure == 0, let base = name.baseAddress else { return nil }
            return unsafe String(cString: base)
        }
    }
}

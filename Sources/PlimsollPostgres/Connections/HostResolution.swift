import Glibc

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

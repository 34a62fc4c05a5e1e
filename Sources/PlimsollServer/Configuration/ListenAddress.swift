import Configuration

/// A host and a port to listen at: `127.0.0.1:8080`, `[::1]:8080`.
package struct ListenAddress: Equatable, Sendable, CustomStringConvertible {
    package let host: String
    /// 0 lets the system choose.
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[colon...].dropFirst())
        else { return nil }
        let host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard !host.isEmpty, isBracketed || !host.contains(":") else { return nil }
        self.host = String(isBracketed ? host.dropFirst().dropLast() : host)
        self.port = Int(port)
    }

    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

extension ConfigReader {
    func listenAddressIfAny(
        _ key: ConfigKey,
        such example: String
    ) throws(ConfigurationError) -> ListenAddress? {
        guard string(forKey: key) != nil else { return nil }
        return try listenAddress(key, default: example)
    }

    func listenAddress(
        _ key: ConfigKey,
        default fallback: String
    ) throws(ConfigurationError) -> ListenAddress {
        guard let address = ListenAddress(string(forKey: key, default: fallback)) else {
            throw ConfigurationError(
                key: key.description,
                needed: "a host and a port such as \(fallback)"
            )
        }
        return address
    }
}

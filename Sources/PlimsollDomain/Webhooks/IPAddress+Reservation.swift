extension IPAddress {
    /// What the address is for, unless it is one of those that anybody on the Internet can have.
    ///
    /// By the registries of special addresses (IANA, RFC 6890). Of version 6 only what was given out
    /// as global counts, so ways of writing an old address as a new one are reserved as well.
    package var reservation: String? {
        for (network, purpose) in reservations where network.contains(self) { return purpose }
        return bytes.count == 16 && !globalUnicast.contains(self) ? "a reserved address" : nil
    }
}

private let globalUnicast = network("2000::/3")

private let reservations: [(IPNetwork, String)] = [
    (network("0.0.0.0/8"), "an address of this machine"),
    (network("10.0.0.0/8"), "a private address"),
    (network("100.64.0.0/10"), "a private address of a provider (RFC 6598)"),
    (network("127.0.0.0/8"), "an address of this machine"),
    (network("169.254.0.0/16"), "a link-local address"),
    (network("172.16.0.0/12"), "a private address"),
    (network("192.0.0.0/24"), "a reserved address"),
    (network("192.0.2.0/24"), "an address for documentation"),
    (network("192.88.99.0/24"), "a reserved address"),
    (network("192.168.0.0/16"), "a private address"),
    (network("198.18.0.0/15"), "an address for measurements"),
    (network("198.51.100.0/24"), "an address for documentation"),
    (network("203.0.113.0/24"), "an address for documentation"),
    (network("224.0.0.0/4"), "a multicast address"),
    (network("240.0.0.0/4"), "a reserved address"),
    (network("::/128"), "an address of this machine"),
    (network("::1/128"), "an address of this machine"),
    (network("::ffff:0:0/96"), "an address of version 4 written as one of version 6"),
    (network("64:ff9b::/96"), "an address of version 4 written as one of version 6"),
    (network("2001::/23"), "a reserved address"),
    (network("2001:db8::/32"), "an address for documentation"),
    (network("2002::/16"), "an address of version 4 written as one of version 6"),
    (network("3fff::/20"), "an address for documentation"),
    (network("fc00::/7"), "a private address"),
    (network("fe80::/10"), "a link-local address"),
    (network("ff00::/8"), "a multicast address"),
]

private func network(_ text: String) -> IPNetwork {
    guard let network = IPNetwork(text) else {
        preconditionFailure("the networks of the table are written as networks")
    }
    return network
}

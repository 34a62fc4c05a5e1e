package import PlimsollDomain

/// Which places events may be sent to.
///
/// Whoever may register a webhook must not be able to reach, through us, what only we can reach.
package struct Admission: Equatable, Sendable {
    /// Whether messages may travel in the clear.
    package let allowsUnencrypted: Bool
    /// Networks that may be sent to although they are nobody's on the Internet.
    package let networks: [IPNetwork]

    package init(allowsUnencrypted: Bool = false, networks: [IPNetwork] = []) {
        self.allowsUnencrypted = allowsUnencrypted
        self.networks = networks
    }

    /// Why nothing is ever sent there, as far as the address alone tells.
    package func objection(to url: WebhookURL) -> String? {
        guard url.isEncrypted || allowsUnencrypted else {
            return "the address has to begin with https://"
        }
        return url.address.flatMap { address in
            objection(to: address).map { "\(url.host) is \($0)" }
        }
    }

    /// What an address is that nothing is sent to.
    package func objection(to address: IPAddress) -> String? {
        guard let reservation = address.reservation,
            !networks.contains(where: { $0.contains(address) })
        else { return nil }
        return reservation
    }
}

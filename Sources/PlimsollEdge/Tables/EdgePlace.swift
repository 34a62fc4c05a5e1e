import PlimsollDomain

/// Something prepared, and the addresses that lead to it.
struct EdgePlace {
    let resource: PreparedResource
    /// Where it is found on every host.
    let paths: [String]
    /// Whose signature it carries; `nil` for what no key of an app has signed.
    var key: KeyID?
    /// The addresses that name no key: where it is found on the hosts of its key.
    var keylessPaths: [String] = []
    /// Whether it is found there on all other hosts as well.
    var leads = true

    init(_ resource: PreparedResource, at paths: [String]) {
        self.resource = resource
        self.paths = paths
    }

    /// Where it is found on a host that belongs to a key, or to none.
    func paths(onHostOf host: KeyID?) -> [String] {
        let isFound = host.map { $0 == key } ?? leads
        return isFound ? paths + keylessPaths : paths
    }
}

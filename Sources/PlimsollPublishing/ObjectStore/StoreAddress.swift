package import PlimsollAPI

/// A place in an S3-compatible object store: `s3://bucket/prefix`.
///
/// Where the store is not Amazon's, or not in the region of the environment, the address says so:
/// `s3://config/live?endpoint=https://minio.example.com&region=eu-west-2`.
package struct StoreAddress: Equatable, Sendable {
    package let bucket: String
    /// Empty, or something that ends with a slash.
    package let prefix: String
    package let region: String?
    package let endpoint: ServiceAddress?

    package static let grammar =
        "an address such as s3://bucket/prefix, with ?region=… and &endpoint=https://… if need be"

    package init?(_ text: String) {
        guard text.hasPrefix(Self.scheme) else { return nil }
        let parts = text.dropFirst(Self.scheme.count)
            .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        var folders = path.dropFirst()
        if folders.last == "" { folders.removeLast() }
        guard
            let bucket = path.first, isBucket(bucket), folders.allSatisfy(isFolder),
            let settings = Self.settings(parts.count == 2 ? parts[1] : "")
        else { return nil }
        self.bucket = String(bucket)
        prefix = folders.map { "\($0)/" }.joined()
        (region, endpoint) = settings
    }

    private static let scheme = "s3://"

    private static func settings(
        _ query: Substring
    ) -> (region: String?, endpoint: ServiceAddress?)? {
        var (region, endpoint): (String?, ServiceAddress?) = (nil, nil)
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return nil }
            switch parts[0] {
            case "region" where region == nil && isRegion(parts[1]): region = parts[1]
            case "endpoint" where endpoint == nil:
                guard let address = ServiceAddress(parts[1]), address.hasNoPath else { return nil }
                endpoint = address
            default: return nil
            }
        }
        return (region, endpoint)
    }
}

extension StoreAddress: CustomStringConvertible {
    /// Bucket and prefix, as records and metrics name the store.
    package var description: String { "s3://\(bucket)/\(prefix.dropLast())" }
}

extension ServiceAddress {
    /// Buckets come right behind the host.
    var hasNoPath: Bool { text.filter { $0 == "/" }.count == 2 }
}

func isRegion(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count) && text.utf8.allSatisfy { isLowerCase($0) || $0 == hyphen }
}

/// As Amazon wants them; others want no more.
private func isBucket(_ text: Substring) -> Bool {
    let bytes = text.utf8
    return (3...63).contains(bytes.count)
        && bytes.allSatisfy { isLowerCase($0) || $0 == hyphen || $0 == dot }
        && bytes.first.map(isLowerCase) == true && bytes.last.map(isLowerCase) == true
        && !text.contains("..")
}

/// What needs no percent sign in an address.
private func isFolder(_ text: Substring) -> Bool {
    let isPlain = text.utf8.allSatisfy { byte in
        isLowerCase(byte) || (0x41...0x5A).contains(byte) || byte == hyphen || byte == dot
            || byte == UInt8(ascii: "_")
    }
    return !text.isEmpty && isPlain && text != "." && text != ".."
}

/// A lower-case letter or a digit.
private func isLowerCase(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
}

private let hyphen = UInt8(ascii: "-")
private let dot = UInt8(ascii: ".")

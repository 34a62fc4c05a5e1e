package import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain

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

/// A place in a store with everything that is needed to speak to it.
package struct StorePlace: Sendable {
    package let address: StoreAddress
    /// `nil` where the store answers everybody.
    let credentials: AmazonCredentials?
    let region: String
    /// Scheme and host.
    let origin: String
    /// The path of the bucket, with a slash at its end.
    let bucketPath: String

    package var isSecure: Bool { origin.lowercased().hasPrefix("https://") }

    private static let usualRegion = "us-east-1"

    /// Takes what the address leaves open from the environment, by the names that all programs
    /// use: `AWS_REGION`, `AWS_ENDPOINT_URL_S3`, `AWS_ACCESS_KEY_ID` and so on.
    ///
    /// `nil` if what stands there is no endpoint or region.
    package init?(_ address: StoreAddress, environment: [String: String]) {
        func value(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        let region =
            address.region ?? value("AWS_REGION", "AWS_DEFAULT_REGION") ?? Self.usualRegion
        guard isRegion(region) else { return nil }
        var endpoint = address.endpoint
        if endpoint == nil, let text = value("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") {
            guard let named = ServiceAddress(text), named.hasNoPath else { return nil }
            endpoint = named
        }
        self.address = address
        self.region = region
        credentials = AmazonCredentials(environment: environment)
        if let endpoint {
            origin = endpoint.text
            bucketPath = "/\(address.bucket)/"
        } else if address.bucket.contains(".") {
            // The certificate of a bucket's own host does not cover names with dots.
            origin = "https://s3.\(region).amazonaws.com"
            bucketPath = "/\(address.bucket)/"
        } else {
            origin = "https://\(address.bucket).s3.\(region).amazonaws.com"
            bucketPath = "/"
        }
    }

    /// The path of a key, whose letters need no percent sign.
    func path(_ key: String) -> String { bucketPath + address.prefix + key }
}

/// A page of the keys that a store has, as it lists them in XML.
struct StoreList {
    /// Behind the prefix of the place.
    let keys: [String]
    /// What to ask for the next page with; `nil` where this is the last.
    let next: String?

    /// `nil` for what is no whole page, or does not say where the list goes on: whoever took it for
    /// the end would leave what follows where it is.
    init?(_ body: [UInt8], under prefix: String) {
        let text = String(decoding: body, as: UTF8.self)
        guard text.contains("<ListBucketResult"), text.contains("</ListBucketResult>") else {
            return nil
        }
        keys = Self.elements("Key", in: text).compactMap { key in
            key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : nil
        }
        let isTruncated = Self.elements("IsTruncated", in: text).first == "true"
        next = isTruncated ? Self.elements("NextContinuationToken", in: text).first : nil
        if isTruncated, next?.isEmpty ?? true { return nil }
    }

    /// What stands between the tags: no key of ours and no token has a letter that XML would write
    /// in another way, and whoever has one that does is left alone.
    static func elements(_ name: String, in body: [UInt8]) -> [String] {
        elements(name, in: String(decoding: body, as: UTF8.self))
    }

    private static func elements(_ name: String, in text: String) -> [String] {
        text.split(separator: "<\(name)>", omittingEmptySubsequences: false).dropFirst()
            .compactMap { part in
                part.firstRange(of: "</\(name)>").map { String(part[..<$0.lowerBound]) }
            }
    }
}

/// Where everything lies in a store: names only.
///
/// ```
/// snapshots/{app}/{sequence}-{digest}/…   never changed: all files, manifest and signatures
/// snapshots/{app}/…/proof.json            that the log recorded the manifest; comes later
/// distribution/{app}/{file}               what phones fetch, each with its signature beside it
/// distribution/{file}                     the same of the default app
/// distribution/{app}/keys/{keyId}/{file}  the same with the signature of that key
/// current/{app}                           which snapshot is current, written last of all these
/// revoked/{app}                           the compromised keys of which nothing is left
/// ```
///
/// The digest is the beginning of the manifest's: a snapshot that was lost and signed anew has the
/// number of the first, and must not be mixed with it.
enum StoreLayout {
    static func pointer(of app: AppSlug) -> String { "current/\(app)" }

    static func snapshot(
        _ sequence: SnapshotSequence,
        _ digest: ContentDigest,
        of app: AppSlug
    ) -> String {
        "\(snapshots(of: app))\(sequence)-\(digest.hex.prefix(16))"
    }

    /// What all snapshots of an app lie under.
    static func snapshots(of app: AppSlug) -> String { "snapshots/\(app)/" }

    /// Of what is current; with the next snapshot it is taken away, until that is proven.
    static func proof(of app: AppSlug) -> String {
        "\(distribution(of: app))\(Manifest.proofFileName)"
    }

    static func revoked(of app: AppSlug) -> String { "revoked/\(app)" }

    /// What everything lies under that is fetched of an app.
    static func distribution(of app: AppSlug) -> String { "distribution/\(app)/" }

    /// The public address of a file as one key has signed it.
    static func address(of name: String, _ app: AppSlug, signedBy key: KeyID) -> String {
        "\(distribution(of: app))keys/\(key)/\(name)"
    }

    /// The public addresses of a file that name no key, without the slash before them.
    static func addresses(of name: String, _ app: AppSlug, isDefault: Bool) -> [String] {
        let own = "\(distribution(of: app))\(name)"
        return isDefault ? [own, shared(name)] : [own]
    }

    /// The public address of a file of the default app.
    static func shared(_ name: String) -> String { "distribution/\(name)" }

    /// The addresses of the default app where it has nothing, and one before it may have had.
    static func sharedWithout(_ manifest: Manifest) -> [String] {
        guard manifest.isDefault else { return [] }
        let names = Set(WireFormat.all.map(\.fileName))
        return names.subtracting(manifest.files.map(\.name)).map(\.text).sorted().map(shared)
    }
}

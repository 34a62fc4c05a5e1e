import PlimsollAPI

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

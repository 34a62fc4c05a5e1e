package import PlimsollDomain
package import PlimsollJSON

/// What there is to say of a `/.well-known/marketplace-kit` that somebody publishes: everything that
/// is wrong with it, at once, and what is worth a second look.
package struct KitExamination: Equatable, Sendable {
    /// What is wrong, each with its place in the document.
    package private(set) var faults: [JSONIssue] = []
    package private(set) var warnings: [JSONIssue] = []
    /// Where devices ask for what, each address once for it, in the order of the document.
    ///
    /// An address outside of the domains is none of them.
    package private(set) var asked: [Asked] = []

    /// An address, and what it is for.
    package struct Asked: Hashable, Sendable {
        package let kind: KitAddress
        package let url: EndpointURL

        package init(_ kind: KitAddress, _ url: EndpointURL) {
            (self.kind, self.url) = (kind, url)
        }
    }

    package static let limits = JSONLimits(sizeMaximum: 1 << 20)
    private static let overridesKey = "overridesByAppleItemID"
    /// Longer is rather a number of seconds.
    private static let hoursMaximum: Int64 = 720

    /// Looks at a document whose addresses have to lie on these domains.
    package init(_ bytes: [UInt8], on domains: [DomainName]) {
        do throws(JSONIssues) {
            var reader = try ObjectReader(parsing: bytes, limits: Self.limits)
            examine(&reader, domains)
            examineOverrides(&reader, domains)
            faults += reader.issues(.ignored)
            note(unknownIn: reader, beside: [Self.overridesKey])
        } catch {
            faults += error.issues
        }
    }

    private static let keys: Set = ["restore", "updates", "license"]

    /// One configuration, which is whole by itself.
    private mutating func examine(_ reader: inout ObjectReader, _ domains: [DomainName]) {
        take(.restore, reader.endpoint("restore", domains))
        var interval: (Int64, JSONPointer)?
        let found: EndpointURL? = reader.part("updates") { updates in
            let url = updates.endpoint("url", domains)
            let hours = updates.member("pollingInterval", needing: "a number of hours from 1 on") {
                $0.integer.flatMap { $0 >= 1 ? $0 : nil }
            }
            interval = hours.map { ($0, updates.pointer.appending("pollingInterval")) }
            return url
        }
        take(.updates, found)
        if let (hours, place) = interval { note(hours, at: place) }
        var lacksRenewal: JSONPointer?
        var licenses: [(KitAddress, EndpointURL?)] = []
        _ = reader.part("license") { license -> Bool? in
            licenses = KitAddress.licenses.compactMap { kind in
                let isThere = license.object[kind.key] != nil
                guard isThere || kind.isRequired else { return nil }
                return (kind, license.endpoint(kind.key, domains))
            }
            let key = KitAddress.licenseRenewal.key
            lacksRenewal =
                license.object[key] == nil ? license.pointer.appending(key) : nil
            return true
        }
        for (kind, url) in licenses { take(kind, url) }
        if let lacksRenewal {
            warn("Without it no licence is renewed, and none is taken back.", at: lacksRenewal)
        }
    }

    private mutating func take(_ kind: KitAddress, _ url: EndpointURL?) {
        guard let asked = url.map({ Asked(kind, $0) }), !self.asked.contains(asked) else { return }
        self.asked.append(asked)
    }

    private mutating func examineOverrides(
        _ reader: inout ObjectReader,
        _ domains: [DomainName]
    ) {
        guard let overrides = reader.optionalObject(Self.overridesKey) else { return }
        for member in overrides.members {
            let place = reader.pointer.appending(Self.overridesKey).appending(member.key)
            if AppleItemID(member.key) == nil {
                fault("This is no AppleItemID; it is \(AppleItemID.grammar).", at: place)
            }
            guard let object = member.value.object else {
                fault("An override is an object, with a whole configuration.", at: place)
                continue
            }
            var inner = ObjectReader(object, at: place)
            examine(&inner, domains)
            if object[Self.overridesKey] != nil {
                fault(
                    "An override has no overrides of its own.",
                    at: place.appending(Self.overridesKey)
                )
            }
            faults += inner.issues(.ignored)
            note(unknownIn: inner, beside: [Self.overridesKey])
        }
    }

    private mutating func note(_ hours: Int64, at place: JSONPointer) {
        if hours < 24 { warn("Devices ask once in 24 hours at most, whatever it says.", at: place) }
        if hours > Self.hoursMaximum {
            warn("These are \(hours / 24) days; it is given in hours, not in seconds.", at: place)
        }
    }

    private mutating func note(unknownIn reader: ObjectReader, beside others: Set<String>) {
        for key in reader.object.keys where !Self.keys.union(others).contains(key) {
            warn("Apple names no such key.", at: reader.pointer.appending(key))
        }
    }

    private mutating func fault(_ detail: String, at place: JSONPointer) {
        faults.append(JSONIssue(pointer: place, detail: detail))
    }

    private mutating func warn(_ detail: String, at place: JSONPointer) {
        warnings.append(JSONIssue(pointer: place, detail: detail))
    }
}

/// What an address of a configuration is for.
package enum KitAddress: String, CaseIterable, Sendable {
    case restore
    case updates
    case dynamicLicense
    case licenseRenewal
    case licenseResolution
    case signingCertificate
    case encryptionCertificate

    fileprivate static let licenses = allCases.filter { $0 != .restore && $0 != .updates }

    /// As Apple writes those of licences.
    fileprivate var key: String { rawValue + "URL" }

    fileprivate var isRequired: Bool { self != .licenseRenewal && self != .licenseResolution }
}

extension ObjectReader {
    /// An address on one of the domains; any other is refused, and asked nothing.
    fileprivate mutating func endpoint(_ key: String, _ domains: [DomainName]) -> EndpointURL? {
        let url = string(key, needing: EndpointURL.grammar) { EndpointURL($0) }
        guard let url else { return nil }
        if !domains.contains(where: { $0.covers(url.host) }) {
            let names = domains.map(\.text).joined(separator: ", ")
            refuse(key, "\(url.host) does not belong to \(names).")
            return nil
        }
        return url
    }

    /// A required object, whose unknown members are passed over.
    fileprivate mutating func part<Value>(
        _ key: String,
        _ read: (inout ObjectReader) -> Value?
    ) -> Value? {
        guard let object = object(key) else { return nil }
        return nested(object, at: pointer.appending(key), .ignored, read)
    }
}

/// What there is to say of what devices are answered at those addresses.
package enum AnswerExamination {
    /// Everything that is wrong with the body of an answer with 200; the array has this name.
    package static func faults(of body: [UInt8], listing name: String) -> [JSONIssue] {
        faults(of: body) { reader in
            let keys = ["appleItemId", "appleVersionId"]
            let more =
                ["alternativeDistributionPackage", "installVerificationToken"]
                + (name == "updates" ? ["bundleVersion", "shortVersionString"] : [])
            _ = reader.objects(name, .ignored) { element -> Bool? in
                for key in keys + more { _ = element.string(key) }
                return true
            }
            _ = reader.objects("failures", .ignored) { element -> Bool? in
                for key in keys { _ = element.string(key) }
                _ = element.object("failure") { failure -> Bool? in
                    failure.integer("code") != nil && failure.string("description") != nil
                }
                return true
            }
        }
    }

    /// Everything that is wrong with `/.well-known/oauth-authorization-server` (RFC 8414).
    package static func faults(ofMetadata body: [UInt8]) -> [JSONIssue] {
        faults(of: body) { reader in
            for key in ["issuer", "authorization_endpoint", "token_endpoint"] {
                _ = reader.string(key, needing: "an address that begins with https://") {
                    $0.hasPrefix("https://") ? $0 : nil
                }
            }
            for (key, word) in [
                ("grant_types_supported", "authorization_code"),
                ("response_types_supported", "code"),
                ("code_challenge_methods_supported", "S256"),
            ] {
                _ = reader.member(key, needing: "a list with \(word) in it") { value in
                    value.array?.contains(.string(word)) == true ? true : nil
                }
            }
        }
    }

    /// Whether the bytes may be a certificate, in DER or in PEM; nothing of it is looked at.
    package static func isCertificate(_ bytes: [UInt8]) -> Bool {
        if String(decoding: bytes.prefix(27), as: UTF8.self) == "-----BEGIN CERTIFICATE-----" {
            return true
        }
        // A sequence whose length, in two bytes, is that of the rest.
        guard bytes.count > 4, bytes[0] == 0x30, bytes[1] == 0x82 else { return false }
        return Int(bytes[2]) << 8 | Int(bytes[3]) == bytes.count - 4
    }

    private static func faults(
        of body: [UInt8],
        _ examine: (inout ObjectReader) -> Void
    ) -> [JSONIssue] {
        do throws(JSONIssues) {
            var reader = try ObjectReader(parsing: body, limits: KitExamination.limits)
            reader.isLenient = true
            examine(&reader)
            return reader.issues(.ignored)
        } catch {
            return error.issues
        }
    }
}

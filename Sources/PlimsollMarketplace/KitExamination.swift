package import PlimsollDomain
package import PlimsollJSON

/// What there is to say of a `/.well-known/marketplace-kit` that somebody publishes: everything that
/// is wrong with it, at once, and what is worth a second look.
package struct KitExamination: Equatable, Sendable {
    /// What is wrong, each with its place in the document.
    package private(set) var faults: [JSONIssue] = []
    package private(set) var warnings: [JSONIssue] = []
    /// Where devices ask, each address once, in the order of the document.
    package private(set) var restore: [EndpointURL] = []
    package private(set) var updates: [EndpointURL] = []

    package static let limits = JSONLimits(sizeMaximum: 1 << 20)
    private static let overridesKey = "overridesByAppleItemID"
    /// Longer is rather a number of seconds.
    private static let hoursMaximum: Int64 = 720

    /// Looks at a document whose addresses have to lie on these domains.
    package init(_ bytes: [UInt8], on domains: [DomainName]) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes, limits: Self.limits)
        } catch {
            faults = JSONIssues(error).issues
            return
        }
        do throws(JSONIssues) {
            var reader = try ObjectReader(reading: value)
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
        let asked = reader.endpoint("restore", domains)
        if let asked, !restore.contains(asked) { restore.append(asked) }
        var interval: (Int64, JSONPointer)?
        let found: EndpointURL? = reader.part("updates") { updates in
            let url = updates.endpoint("url", domains)
            let hours = updates.member("pollingInterval", needing: "a number of hours from 1 on") {
                $0.integer.flatMap { $0 >= 1 ? $0 : nil }
            }
            interval = hours.map { ($0, updates.pointer.appending("pollingInterval")) }
            return url
        }
        if let found, !updates.contains(found) { updates.append(found) }
        if let (hours, place) = interval { note(hours, at: place) }
        var lacksRenewal: JSONPointer?
        _ = reader.part("license") { license -> Bool? in
            for key in ["dynamicLicenseURL", "signingCertificateURL", "encryptionCertificateURL"] {
                _ = license.endpoint(key, domains)
            }
            for key in ["licenseRenewalURL", "licenseResolutionURL"]
            where license.object[key] != nil {
                _ = license.endpoint(key, domains)
            }
            let place = license.pointer.appending("licenseRenewalURL")
            lacksRenewal = license.object["licenseRenewalURL"] == nil ? place : nil
            return true
        }
        if let lacksRenewal {
            warn("Without it no licence is renewed, and none is taken back.", at: lacksRenewal)
        }
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

/// What there is to say of an answer to a request for restores or updates.
package enum AnswerExamination {
    /// Everything that is wrong with the body of an answer with 200; the array has this name.
    package static func faults(of body: [UInt8], listing name: String) -> [JSONIssue] {
        do throws(JSONIssues) {
            var reader = try ObjectReader(parsing: body, limits: KitExamination.limits)
            reader.isLenient = true
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
            return reader.issues(.ignored)
        } catch {
            return error.issues
        }
    }
}

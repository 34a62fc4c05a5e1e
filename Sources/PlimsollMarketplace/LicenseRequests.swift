import Foundation
package import PlimsollDomain
package import PlimsollJSON

/// What a device sends to get licences for apps: nothing of it but the list of apps can be read here.
///
/// ```json
/// {"licenseRequest": "base64", "licenseKey": "base64",
///  "appsById": {"10737747186": {"appleVersionId": "878123456789", "assetPublicId": "1f0c…"}}}
/// ```
package struct LicenseRequest: Equatable, Sendable {
    package let envelope: LicenseEnvelope
    package let apps: [AppleItemID: App]

    /// A version of an app, and the variant of it that the device fetches.
    package struct App: Equatable, Sendable {
        package let version: AppleVersionID
        package let asset: String

        package init(version: AppleVersionID, asset: String) {
            (self.version, self.asset) = (version, asset)
        }
    }

    package static let appsMaximum = 1000
    private static let assetGrammar = "1 to 200 letters, digits, dots, hyphens and underscores"

    package init(envelope: LicenseEnvelope, apps: [AppleItemID: App]) {
        (self.envelope, self.apps) = (envelope, apps)
    }

    /// Reads a body, whatever type it is said to be of; members that are not known are passed over.
    package init(parsing bytes: [UInt8]) throws(JSONIssues) {
        var reader = try ObjectReader(parsing: bytes, limits: LicenseEnvelope.limits)
        reader.isLenient = true
        let envelope = LicenseEnvelope(reading: &reader, "licenseRequest")
        var apps: [AppleItemID: App] = [:]
        if let list = reader.object("appsById") {
            if list.isEmpty || list.count > Self.appsMaximum {
                reader.refuse(
                    "appsById",
                    "There are \(list.count) apps; 1 to \(Self.appsMaximum) are needed."
                )
            }
            for member in list.members.prefix(Self.appsMaximum) {
                Self.read(member, &reader).map { apps[$0.item] = $0.app }
            }
        }
        self = try reader.finish(.ignored) {
            envelope.map { LicenseRequest(envelope: $0, apps: apps) }
        }
    }

    private static func read(
        _ member: JSONObject.Member,
        _ reader: inout ObjectReader
    ) -> (item: AppleItemID, app: App)? {
        let place = reader.pointer.appending("appsById").appending(member.key)
        guard let item = AppleItemID(member.key) else {
            reader.refuse(.rejected(.string(member.key), needed: AppleItemID.grammar, at: place))
            return nil
        }
        guard let object = member.value.object else {
            reader.refuse(.mismatch(member.value, needed: "an object", at: place))
            return nil
        }
        return reader.nested(object, at: place, .ignored) { app in
            // Apple's example writes it in one way and Apple's table in the other.
            let name = app.object["appleVersionId"] == nil ? "appleVersionID" : "appleVersionId"
            let version = app.string(name, needing: AppleVersionID.grammar) { AppleVersionID($0) }
            let asset = app.string("assetPublicId", needing: assetGrammar) {
                $0.wholeMatch(of: /[A-Za-z0-9._-]{1,200}/) == nil ? nil : $0
            }
            guard let version, let asset else { return nil }
            return (item, App(version: version, asset: asset))
        }
    }
}

/// What a device sends to have licences renewed; which ones, only the keys of the marketplace tell.
package struct RenewalRequest: Equatable, Sendable {
    package let envelope: LicenseEnvelope

    package init(envelope: LicenseEnvelope) {
        self.envelope = envelope
    }

    /// Reads a body, whatever type it is said to be of; members that are not known are passed over.
    package init(parsing bytes: [UInt8]) throws(JSONIssues) {
        var reader = try ObjectReader(parsing: bytes, limits: LicenseEnvelope.limits)
        let envelope = LicenseEnvelope(reading: &reader, "renewalRequest")
        self = try reader.finish(.ignored) { envelope.map { RenewalRequest(envelope: $0) } }
    }
}

/// A sealed request, and the key that it is sealed with, sealed itself: both as they came, in base64.
package struct LicenseEnvelope: Equatable, Sendable {
    package let request: String
    package let key: String

    package static let limits = JSONLimits(sizeMaximum: 1 << 20, depthMaximum: 8)
    /// What RSA with 3072 bits makes.
    private static let keyBytes = 384
    /// AES works on blocks of so many bytes.
    private static let blockBytes = 16

    package init(request: String, key: String) {
        (self.request, self.key) = (request, key)
    }

    fileprivate init?(reading reader: inout ObjectReader, _ member: String) {
        let request = reader.string(
            member,
            needing: "base64 of at least one block of \(Self.blockBytes) bytes"
        ) { text in
            Data(base64Encoded: text).flatMap {
                $0.isEmpty || !$0.count.isMultiple(of: Self.blockBytes) ? nil : text
            }
        }
        let key = reader.string("licenseKey", needing: "base64 of \(Self.keyBytes) bytes") { text in
            Data(base64Encoded: text)?.count == Self.keyBytes ? text : nil
        }
        guard let request, let key else { return nil }
        self.init(request: request, key: key)
    }
}

extension Storefront {
    /// The apps of a request that get no licence: not sold here, or of a version that was withdrawn.
    ///
    /// One that is merely not offered any more may be installed, and goes on.
    package func unlicensed(_ request: LicenseRequest) -> Set<AppleItemID> {
        Set(
            request.apps.filter { item, wanted in
                self[item]?.withdrawn.contains(wanted.version) ?? true
            }.keys
        )
    }

    /// What of the offer decides about licences that exist: who can read them compares.
    package var licensePolicy: JSONObject {
        let apps = listed.sorted { $0.item < $1.item }
        return [
            "listed": .array(apps.map { .string($0.item.text) }),
            "withdrawn": .object(
                JSONObject(
                    apps.filter { !$0.withdrawn.isEmpty }.map { app in
                        JSONObject.Member(
                            key: app.item.text,
                            value: .array(app.withdrawn.sorted().map { .string($0.text) })
                        )
                    }
                )
            ),
        ]
    }
}

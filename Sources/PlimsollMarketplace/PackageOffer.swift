package import PlimsollDomain
import PlimsollJSON

/// A package that a marketplace hands out of an app, until something else is published.
///
/// It is made once, with what every answer says of it, and is the same for all who are answered.
package final class PackageOffer: Sendable {
    package let item: AppleItemID
    package let bundle: BundleID
    package let package: Package
    /// Where people read about the app.
    package let page: String?
    /// Of an answer, what stands before the token or the number of the build.
    private let beginning: [UInt8]
    private let bundleVersion: [UInt8]
    private let shortVersion: [UInt8]

    init(_ package: Package, of listing: Listing, in marketplace: Marketplace) {
        (item, bundle) = (listing.item, listing.bundle)
        self.package = package
        page = marketplace.landingPage?.address(of: listing.item)
        var writer = CanonicalWriter(capacity: 256)
        writer.literal(#"{"alternativeDistributionPackage":"#)
        writer.string(package.folder)
        if let page {
            writer.literal(#","appShareURL":"#)
            writer.string(page)
        }
        writer.literal(#","appleItemId":""#)
        writer.literal(item.text)
        writer.literal(#"","appleVersionId":""#)
        writer.literal(package.version.text)
        writer.literal("\"")
        beginning = writer.bytes
        bundleVersion = Self.member(#","bundleVersion":"#, package.bundleVersion)
        shortVersion = Self.member(#","shortVersionString":"#, package.shortVersion)
    }

    private static func member(_ name: String, _ label: Label) -> [UInt8] {
        var writer = CanonicalWriter()
        writer.literal(name)
        writer.string(label.text)
        return writer.bytes
    }
}

extension PackageOffer: Equatable {
    package static func == (left: PackageOffer, right: PackageOffer) -> Bool {
        left.beginning == right.beginning && left.bundle == right.bundle
            && left.package == right.package
    }
}

extension PackageOffer {
    /// What about so many bytes are needed for, the token aside.
    var length: Int { beginning.count + bundleVersion.count + shortVersion.count + 40 }

    /// Members in the order of their names, as canonical JSON has them.
    func write(_ question: DeviceQuestion, token: [UInt8], to writer: inout CanonicalWriter) {
        writer.literal(beginning)
        if question == .updates { writer.literal(bundleVersion) }
        writer.literal(#","installVerificationToken":""#)
        writer.literal(token)
        writer.literal("\"")
        if question == .updates { writer.literal(shortVersion) }
        writer.literal("}")
    }

    /// What the marketplace's own app is answered.
    package func answer(token: [UInt8]) -> [UInt8] {
        var writer = CanonicalWriter(capacity: token.count + 128)
        writer.literal(#"{"appleItemId":""#)
        writer.literal(item.text)
        writer.literal(#"","appleVersionId":""#)
        writer.literal(package.version.text)
        writer.literal(#"","installVerificationToken":""#)
        writer.literal(token)
        writer.literal(#""}"#)
        return writer.bytes
    }
}

extension Package {
    /// The address of the package, which is a folder.
    fileprivate var folder: String {
        address.text.hasSuffix("/") ? address.text : address.text + "/"
    }
}

/// A version that can be installed, and the system that it needs.
package struct KnownRelease: Hashable, Sendable {
    package let version: OfferVersion
    /// `nil` where it runs on every system that the app ever ran on.
    package let system: OfferVersion?
    /// What people call it, where the version is a code.
    package let name: VersionName?

    package init(version: OfferVersion, system: OfferVersion? = nil, name: VersionName? = nil) {
        self.version = version
        self.system = system
        self.name = name
    }
}

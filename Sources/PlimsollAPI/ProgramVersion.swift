/// Which Plimsoll this is: that of the newest section in CHANGELOG.md.
package enum ProgramVersion {
    /// By Semantic Versioning; `dev` until there is a release.
    package static let text = "0.1.0-dev"
}

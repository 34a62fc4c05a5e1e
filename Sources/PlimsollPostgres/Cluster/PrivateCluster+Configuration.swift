package import PlimsollSystem

extension PrivateCluster {
    /// Where the private server lives and who runs it.
    package struct Configuration: Sendable {
        /// Holds the folder `postgres`, and may hold the service's own files beside it.
        package let stateDirectory: Path
        /// Where `postgres` and `initdb` lie; searched for when nil.
        package var programsDirectory: Path?
        /// Who runs the server when we are root; chosen among the usual ones when nil.
        package var accountName: String?
        /// How often in a row a server that ended unasked is started again before giving up.
        ///
        /// A server that stayed up for ``PrivateCluster/restartForgivenAfter`` counts anew.
        package var restartsMaximum = 0
        /// Roles, besides the owner's, that the account and root may log in as.
        ///
        /// Whoever connects as the owner makes them.
        package var otherRoles: [String] = []

        package init(
            stateDirectory: Path,
            programsDirectory: Path? = nil,
            accountName: String? = nil,
            restartsMaximum: Int = 0,
            otherRoles: [String] = []
        ) {
            precondition(
                stateDirectory.isAbsolute,
                "the server works in another folder than we do, so its own is named in full"
            )
            self.stateDirectory = stateDirectory
            self.programsDirectory = programsDirectory
            self.accountName = accountName
            self.restartsMaximum = restartsMaximum
            self.otherRoles = otherRoles
        }
    }
}

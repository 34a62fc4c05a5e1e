/// A snapshot of which every byte was checked; only this can be served.
package struct VerifiedSnapshot: Equatable, Sendable {
    package let manifest: VerifiedManifest
    package let files: [VerifiedFile]

    init(manifest: VerifiedManifest, files: [VerifiedFile]) {
        self.manifest = manifest
        self.files = files
    }
}

/// One file of a verified snapshot.
package struct VerifiedFile: Equatable, Sendable {
    package let description: ManifestFile
    package let body: [UInt8]

    init(description: ManifestFile, body: [UInt8]) {
        self.description = description
        self.body = body
    }
}

public import Foundation

extension AvailabilityClient {
    /// What a client needs to know.
    public struct Configuration: Sendable {
        /// The slug of the app, such as `harbour`.
        public let app: String
        /// Where the document is; by default below the address of the service.
        public var documentURL: URL
        /// Which keys are trusted.
        public let keys: PinnedKeys
        /// What the decisions are about.
        public let device: Device
        /// Where the last good document is kept; `nil` to keep none.
        ///
        /// A folder of the app's own, such as one below `applicationSupportDirectory`, or of an app
        /// group. Several processes and several apps may share one.
        public var folder: URL?
        /// What the person reads, as BCP 47 tags, the best first.
        public var languages: @Sendable () -> [String] = { Locale.preferredLanguages }
        /// What is shown to whoever reads none of a text's languages.
        public var fallbackLanguage = "en"
        /// What the store offers to this device; asked only where the decision depends on it.
        ///
        /// Cancelled after ``timeLimit``, and then not waited for; `nil` where it does not know.
        public var storeVersion: (@Sendable () async -> Version?)?
        /// When to ask again.
        public var refreshPolicy = RefreshPolicy()
        /// How many seconds a fetch may take in all, and a look-up of the store's version.
        public var timeLimit: TimeInterval = 30
        /// How many bytes a document may have; a longer one is refused.
        ///
        /// A hundred languages with texts of a thousand characters each are shorter, in any script.
        /// The service tells whoever would publish a longer one than that is here.
        public var bodyMaximum = 4 << 20
        /// By how many seconds a document may be ahead of the device's clock, which people set.
        public var clockTolerance: TimeInterval = 86_400
        /// Who has to have seen a snapshot before its documents count; `nil` where the signature is
        /// enough.
        public var quorum: WitnessQuorum?
        /// Below which address the manifest and its proof are, for ``quorum``; by default that of the
        /// app below the address of the service.
        public var snapshotURL: URL
        /// What fetches.
        public var transport: any DocumentTransport = URLSessionTransport()

        /// - Parameters:
        ///   - service: The address of the public listener, such as `https://updates.example.org`.
        ///   - app: The slug of the app.
        ///   - device: What the decisions are about; its platform says which document is fetched.
        ///   - keys: Which keys are trusted.
        ///   - folder: Where the last good document is kept.
        /// - Throws: ``AvailabilityError/Code/configurationWrong`` where the address is none of
        ///   HTTP, or the slug is none.
        public init(
            service: URL,
            app: String,
            device: Device,
            keys: PinnedKeys,
            folder: URL?
        ) throws(AvailabilityError) {
            guard ["https", "http"].contains(service.scheme?.lowercased()), service.host != nil
            else {
                throw AvailabilityError(
                    .configurationWrong,
                    "\(service) is no address of HTTP, such as https://updates.example.org."
                )
            }
            guard Self.isSlug(app) else {
                throw AvailabilityError(
                    .configurationWrong,
                    "“\(app)” is no slug: 1 to 63 lower-case letters, digits or inner hyphens,"
                        + " beginning with a letter, are needed, and neither “keys” nor “log”."
                )
            }
            self.app = app
            self.device = device
            self.keys = keys
            self.folder = folder
            snapshotURL = service.appendingPathComponent("distribution").appendingPathComponent(app)
            documentURL =
                snapshotURL.appendingPathComponent("availability-\(device.platform.rawValue)")
        }

        /// The rule of the service: what it refuses to register is never published.
        private static func isSlug(_ text: String) -> Bool {
            let bytes = Array(text.utf8)
            guard let first = bytes.first, let last = bytes.last, bytes.count <= 63 else {
                return false
            }
            return isLetter(first) && last != hyphen && !reserved.contains(text)
                && bytes.allSatisfy { isLetter($0) || isDigit($0) || $0 == hyphen }
        }

        private static let reserved: Set<String> = ["keys", "log"]
        private static let hyphen: UInt8 = 0x2D

        private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
        private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    }
}

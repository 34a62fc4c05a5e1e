import Configuration
import PlimsollAPI
import PlimsollDomain
import PlimsollEdge
import PlimsollServer
import Testing

/// Where packages are served from, and where they are brought to.
@Suite struct PackageConfigurationTests {
    private static let folder = "PLIMSOLL_MARKETPLACE_PACKAGES_FOLDER"
    private static let path = "PLIMSOLL_MARKETPLACE_PACKAGES_PATH"
    private static let store = "PLIMSOLL_MARKETPLACE_PACKAGES_STORE"

    private func configuration(
        _ environment: [String: String]
    ) async throws -> ServerConfiguration {
        try await ServerSettings.read(
            arguments: ["data": "/data"],
            environment: environment
        ) {
            try ServerConfiguration(config: $0, environment: environment)
        }
    }

    @Test func `a folder is served below a path, whoever fills it`() async throws {
        let found = try await configuration([Self.folder: "/srv/packages", Self.path: "/p/"])
        #expect(found.packages == PackageSettings(folder: "/srv/packages", path: "/p/"))
        #expect(found.ingestion == nil)
        let nothing = try await configuration([Self.path: ""])
        #expect(nothing.packages == nil && nothing.ingestion == nil)
    }

    @Test(arguments: [
        ("marketplace.packages.folder", [path: "/packages/"]),
        ("marketplace.packages.folder", [path: "/packages/", folder: "packages"]),
        ("marketplace.packages.path", [path: "packages", folder: "/srv/packages"]),
        ("marketplace.packages.path", [path: "/a b/", folder: "/srv/packages"]),
        ("marketplace.connect.issuer", [folder: "/srv/packages"]),
        ("marketplace.connect.issuer", [store: "s3://packages"]),
        ("marketplace.connect.issuer", [store: "s3://p", folder: "/srv/packages", path: "/p/"]),
    ])
    func `what makes no sense is named`(
        _ key: String,
        _ environment: [String: String]
    ) async throws {
        let error = await #expect(throws: ConfigurationError.self) {
            try await configuration(environment)
        }
        #expect(error?.key == key)
    }

    // Goal: whoever reads the sentence finds in it what they wrote. Method: a key that is not there, of
    // the service and of the command, which reads no variable.
    @Test func `a key that cannot be read is called as it was given`() async throws {
        let key = "PLIMSOLL_MARKETPLACE_CONNECT_KEY"
        let address = "https://market.example.com/packages/"
        let environment = [
            "PLIMSOLL_MARKETPLACE_CONNECT_ISSUER": "issuer", "\(key)_ID": "KEY1",
            key: "/nowhere/key.p8", Self.folder: "/srv/packages",
            "PLIMSOLL_MARKETPLACE_PACKAGES_ADDRESS": address,
        ]
        let ofService = await #expect(throws: ConfigurationError.self) {
            try await configuration(environment)
        }
        let setting = "The setting marketplace.connect.key (\(key)) needs"
        #expect(ofService?.description.hasPrefix(setting) == true)
        let place = try #require(EndpointURL(address))
        let ofCommand = #expect(throws: ConfigurationError.self) {
            try IngestionSettings(
                issuer: "issuer",
                keyID: "KEY1",
                keyFile: "/nowhere/key.p8",
                namedBy: "--key",
                origin: nil,
                folder: "/srv/packages",
                address: place
            )
        }
        #expect(ofCommand?.description.hasPrefix("The setting --key needs") == true)
    }
}

import Foundation
import PlimsollClient

/// The line below which this app does not sail.
struct HarbourLine {
    let client: AvailabilityClient

    /// `nil` where this build has no version that could be compared: then the app just runs.
    init?(keys: [String: String], bundle: Bundle = .main) throws {
        guard
            let device = Device.running(.ios, in: bundle),
            let service = URL(string: "https://updates.example.org")
        else { return nil }
        let support = FileManager.default.urls(
            for: .applicationSupportDirectory,
            in: .userDomainMask
        )
        var configuration = try AvailabilityClient.Configuration(
            service: service,
            app: "harbour",
            device: device,
            keys: PinnedKeys(pem: keys),
            folder: support.first?.appendingPathComponent("plimsoll")
        )
        client = AvailabilityClient(configuration)
    }
}

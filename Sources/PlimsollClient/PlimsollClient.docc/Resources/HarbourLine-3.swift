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
        configuration.storeVersion = { await AppStore.version }
        client = AvailabilityClient(configuration)
    }

    /// Call it once; it ends when its task does.
    func follow(_ show: (Screen?) -> Void) async {
        for await state in client.states {
            show(Screen(state.decision))
        }
    }
}

/// What lies over the app, if anything.
struct Screen: Equatable {
    let title: String
    let text: String
    let isClosable: Bool
    let hasStoreButton: Bool

    init?(_ decision: Decision) {
        guard decision.verdict != .available else { return nil }
        title = decision.title ?? "Update"
        text = decision.description ?? "Please install the latest version."
        isClosable = decision.verdict.runs
        hasStoreButton = [.appRecommended, .appTooOldUpdateAvailable].contains(decision.verdict)
    }
}

/// Whatever tells this app what the store has.
enum AppStore {
    static var version: Version? { get async { Version("3.2.0") } }
}

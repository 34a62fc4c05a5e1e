import Logging
import PlimsollAPI
import PlimsollDomain
import PlimsollPublishing
import PlimsollService
import PlimsollSystem

extension KeyMaker {
    init(_ keys: SigningKeys, logger: Logger) {
        self.init(
            make: { try keys.makeKey(for: $0) },
            discard: { record in
                do throws(FileError) {
                    try keys.discard(record)
                } catch {
                    logger.warning(
                        "a key that was never used stays on the disk",
                        metadata: ["key.id": "\(record.id)", "error": "\(error)"]
                    )
                }
            },
            keep: { place, app, mode in
                do throws(SigningKeyError) {
                    return switch mode {
                    case .commit: try await keys.keep(place, for: app)
                    case .dryRun: KeptKey(try await keys.find(place, for: app), isNew: false)
                    }
                } catch {
                    // A full disk is nothing that whoever asks can mend.
                    if case .notMade = error { throw error }
                    throw KeyUnusable(reason: error.description)
                }
            },
            prove: { try await keys.prove($0) }
        )
    }
}

extension SigningKeys {
    /// Has a key sign for trial.
    fileprivate func prove(_ record: KeyRecord) async throws(KeyUnusable) {
        do throws(SigningKeyError) {
            try await checkedSigner(for: record).prove()
        } catch {
            throw KeyUnusable(reason: error.description)
        }
    }
}

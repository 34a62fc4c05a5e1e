import FoundationEssentials
import PlimsollDomain
package import PlimsollPublishing
import PlimsollSystem

/// Where an inspection is written: a folder or an object store.
package enum InspectionPlace: Sendable {
    case folder(String)
    case store(StorePlace)

    package static let grammar = "a folder, or \(StoreAddress.grammar)"

    /// Takes what an operator named, a folder by its absolute path; `nil` for a store that is none.
    package init?(_ text: String, environment: [String: String]) {
        guard text.hasPrefix("s3://") else {
            self = .folder(text)
            return
        }
        guard
            let address = StoreAddress(text),
            let place = StorePlace(address, environment: environment)
        else { return nil }
        self = .store(place)
    }

    func write(_ inspection: Inspection) async throws(PastPublicationFailure) {
        do {
            switch self {
            case .folder(let path): try inspection.write(to: ExportFolder(Path(path)))
            case .store(let place):
                try await StoreInspection(inspection).write(to: place) { Instant(Date.now) }
            }
        } catch let error as InspectionNotWritten {
            throw .notWritten(error.description)
        } catch let error as SinkRefusal {
            throw .notWritten("The store did not take it: \(error.reason).")
        } catch {
            throw .notWritten("It could not be written: \(error).")
        }
    }
}

import Foundation
import PlimsollAPI
import PlimsollDomain

/// Looks whether every key that signs has its private half in a folder: the data directory's own
/// `keys`, or a copy of it.
struct KeyCopiesCheck {
    let name: String
    let folder: String

    func findings(_ keys: [KeyAnswer]) -> [Finding] {
        let needed = keys.filter { $0.state == .active }
        let missing = needed.filter { !isThere($0) }
        guard missing.isEmpty else {
            return missing.map { key in
                .bad(
                    name,
                    "the private key \(key.id) of \(key.app) is not at \(path(of: key))",
                    "Copy it there from where it is. If it is lost, no phone will ever believe"
                        + " another document of \(key.app)."
                )
            }
        }
        return [.good(name, "\(folder) has the private halves of \(needed.count) keys")]
    }

    /// Of a key that is kept elsewhere, the note that says where has to be there.
    private func isThere(_ key: KeyAnswer) -> Bool {
        ["pem", "place"].contains {
            FileManager.default.fileExists(atPath: "\(folder)/\(key.app)/\(key.id).\($0)")
        }
    }

    private func path(of key: KeyAnswer) -> String {
        "\(folder)/\(key.app)/\(key.id).pem"
    }
}

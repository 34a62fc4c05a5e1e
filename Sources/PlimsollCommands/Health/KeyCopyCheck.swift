import Foundation
import PlimsollAPI
import PlimsollDomain

/// Looks whether a copy of the folder `keys` has every key that a restored service needs: those that
/// sign or will, the log's, and those of its entries.
struct KeyCopyCheck {
    let client: AdminClient
    let folder: String

    static let name = "key copy"

    func finding(_ keys: [KeyAnswer]) async -> Finding {
        do {
            let entryKeys = try await client.call(Endpoints.listEntryKeys).keys
            return Self.finding(in: folder, keys, entryKeys.map(\.id))
        } catch {
            // Who may not know the keys of entries can be told of the others.
            let others = Self.finding(in: folder, keys, [])
            return others.isGood ? .bad(Self.name, error, "Look again.") : others
        }
    }

    /// Takes the oldest entry key first.
    static func finding(
        in folder: String,
        _ keys: [KeyAnswer],
        _ entryKeys: [EntryKeyID]
    ) -> Finding {
        let signing = keys.filter { $0.state == .active || $0.state == .added }.map { key in
            ["pem", "place"].map { "\(key.app)/\(key.id).\($0)" }
        }
        let entries = entryKeys.enumerated().map { index, id in
            ([id.text] + (index == 0 ? ["first"] : [])).map { "entries.keys/\($0)" }
        }
        let needed = signing + [["log"]] + entries
        let missing = needed.filter { !$0.contains { isFilled("\(folder)/\($0)") } }
            .compactMap(\.first)
        guard missing.isEmpty else {
            return .bad(
                name,
                "\(folder) does not have \(missing.joined(separator: ", "))",
                "Copy them on the machine of the service: plimsoll keys copy FOLDER --data. What is"
                    + " lost nobody can make again."
            )
        }
        return .good(name, "\(folder) has the \(needed.count) keys that a restore needs")
    }

    /// What cannot be read is of no use in a copy.
    private static func isFilled(_ path: String) -> Bool {
        FileManager.default.contents(atPath: path)?.isEmpty == false
    }
}

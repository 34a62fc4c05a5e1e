import PlimsollDomain
import PlimsollServer

/// Looks whether the private keys of a data directory have a copy anywhere else.
struct KeyBackupCheck {
    let folder: String

    private static let name = "key backup"

    func finding() -> Finding {
        do throws(BackupFailure) {
            return try look()
        } catch {
            return .bad(
                Self.name,
                error.description,
                "Let the service's account read and write \(folder)."
            )
        }
    }

    private func look() throws(BackupFailure) -> Finding {
        let copy = KeyCopy(of: folder)
        let keys = try copy.files()
        let last = try copy.last()
        let uncopied = keys.filter { last?.files.contains($0) != true }
        guard uncopied.isEmpty, let last else {
            return keys.isEmpty
                ? .good(Self.name, "there are no private keys yet")
                : bad("the private keys \(uncopied.joined(separator: ", ")) have no copy", uncopied)
        }
        guard copy.canSee(last.folder) else {
            return .unchecked(
                Self.name,
                "the private keys were copied to \(last.folder) at \(last.copiedAt); it cannot be"
                    + " seen from here",
                "Look at the copy itself with plimsoll doctor --key-copy, where it lies."
            )
        }
        let missing = try copy.missing(from: last.folder)
        guard missing.isEmpty else {
            return bad(
                "\(last.folder) does not have \(missing.joined(separator: ", ")) as it is here",
                missing
            )
        }
        return .good(Self.name, "\(last.folder) has all \(keys.count) private keys")
    }

    private func bad(_ sentence: String, _ files: [String]) -> Finding {
        let loss =
            files == [KeyCopy.webhookFile]
            ? "If it is lost, every webhook needs a new secret."
            : "If a key is lost, no phone will ever believe another document."
        return .bad(
            Self.name,
            sentence,
            "Copy them with plimsoll keys copy FOLDER --data \(folder), encrypt the copy and keep it"
                + " elsewhere. \(loss)"
        )
    }
}

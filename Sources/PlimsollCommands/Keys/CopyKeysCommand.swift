import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollServer

/// `plimsoll keys copy`: the private keys at a second place.
struct CopyKeysCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy the private keys to another folder.",
        discussion: """
            Nobody can make them again: phones believe no other. The copy is made on the machine of \
            the service, readable for its owner alone; encrypt it, and take it elsewhere. The data \
            directory remembers which keys have a copy, and plimsoll doctor says which have none.

            For example: plimsoll keys copy /mnt/safe/plimsoll-keys --data /var/lib/plimsoll
            """
    )

    @Argument(help: "The folder to copy to.")
    var folder: String
    @OptionGroup var place: DatabaseOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        guard let data = place.folder else {
            throw Failure(
                .usage,
                "It is not known where the data directory is.",
                next: "plimsoll keys copy --data, with the data directory"
            )
        }
        do throws(BackupFailure) {
            let made = try KeyCopy(of: data).make(in: absolutePath(folder), at: .now)
            output.show(
                Report(
                    made.json,
                    [.check(passed: true, "\(made.files.count) private keys in \(legible(folder))")]
                )
            )
            return .done
        } catch {
            throw Failure(.failed, legible(error.description), next: "plimsoll doctor")
        }
    }
}

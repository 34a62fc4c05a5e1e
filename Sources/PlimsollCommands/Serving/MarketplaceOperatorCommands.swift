import ArgumentParser
import PlimsollAPI
import Foundation
import PlimsollDevices
import PlimsollDomain
import PlimsollJSON
import PlimsollServer

/// `plimsoll marketplace developer-token`: what a developer shows to App Store Connect.
struct DeveloperTokenCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "developer-token",
        abstract: "Make the token with which a developer lets a marketplace have an app.",
        discussion: """
            The developer gives it to App Store Connect, which then hands the developer's apps to the \
            marketplace. It is signed with the key of the marketplace, here and without any service, \
            and ends in less than a week. No device takes it: what devices want is made anew for \
            every answer, where they are answered.

            Examples:
              plimsoll marketplace developer-token --item 6497405838 \\
                --developer A1B2C3D4E5 \\
                --key /etc/plimsoll/token.pem
              plimsoll marketplace developer-token --item 6497405838 \\
                --developer A1B2C3D4E5 \\
                --key env:PLIMSOLL_TOKEN_KEY --days 2
            """
    )

    @Option(help: ArgumentHelp("The marketplace's own AppleItemID.", valueName: "number"))
    var item: AppleItemID
    @Option(help: ArgumentHelp("The developer's Developer ID.", valueName: "id"))
    var developer: DeveloperID
    @Option(
        help: ArgumentHelp(
            "The key: a PEM file, or env: and a variable; or the ARN of a key in AWS KMS.",
            valueName: "place"
        )
    )
    var key: String
    @Option(help: "For how many days it is good, at most 6.")
    var days = 1
    @OptionGroup var output: OutputOptions

    func validate() throws { try refuseEmpty(key, "--key") }

    func execute(_ output: Output) async throws -> ExitStatus {
        guard (1...DeveloperToken.daysMaximum).contains(days) else {
            throw Failure(.usage, "--days needs a number from 1 to \(DeveloperToken.daysMaximum).")
        }
        let place = ["env:", "arn:"].contains(where: key.hasPrefix) ? key : absolutePath(key)
        guard let keeper = TokenKeyPlace.Keeper(place) else {
            throw Failure(
                .usage,
                "--key needs the path of a PEM file, env: and a variable, or the ARN of a KMS key."
            )
        }
        let token = DeveloperToken(item, for: developer, days: days, now: Instant(Date.now))
        let text: String
        do {
            text = try await token.signed(with: keeper)
        } catch let error as TokenKeyError {
            throw Failure(.failed, legible(error.description))
        } catch let failure as TokenFailure {
            throw Failure(.failed, legible("The token was not signed by \(failure)."))
        }
        let json: JSONObject = ["token": .string(text), "expiresAt": .string(token.end.rfc3339)]
        output.show(Report(json, lines: [text]))
        return .done
    }
}

/// `plimsoll marketplace forget`: what is kept of somebody is erased.
struct ForgetAccountCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Erase which apps an account had.",
        discussion: """
            A service with a database remembers which apps it handed out to which account, so that a \
            token can say whether a device had an app before. Accounts are hashed with a key of the \
            data directory and stand in no log, so this erases them for good. It works on the \
            database itself, as plimsoll rebuild does. An account is written as the tokens of \
            devices write it, in the claim sub.

            For example: plimsoll marketplace forget --account 7f3c21 --data /var/lib/plimsoll
            """
    )

    @Option(help: "The account, as the tokens of devices call it.")
    var account: String
    @OptionGroup var place: DatabaseOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let command = "plimsoll marketplace forget"
        guard !account.isEmpty else { throw Failure(.usage, "--account needs an account.") }
        let data = try place.folder(for: command)
        let erasure = AccountErasure(try place.database(for: command), data: data)
        let count: Int
        do throws(DatabaseFailure) {
            count = try await erasure.forget(account)
        } catch {
            throw Failure.ofDatabase(error.description)
        }
        let json: JSONObject = ["apps": .integer(Int64(count))]
        output.show(Report(json, [.check(passed: true, "\(count) apps of the account forgotten")]))
        return .done
    }
}

extension DeveloperID: TextArgumentValue {}

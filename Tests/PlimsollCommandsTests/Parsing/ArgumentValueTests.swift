import ArgumentParser
import PlimsollJSON
import Testing

@testable import PlimsollCommands

@Suite struct ArgumentValueTests {
    // Goal: nobody needs the manual to mend what they mistyped. Method: every option, by the lists that
    // the commands make for completions, is given what no value is.
    @Test func `every value that cannot be read is told what it needs to be, save numbers`()
        async throws
    {
        var told = 0
        var numbers: Set<String> = []
        for (name, command) in HelpTests.all() {
            await Task.yield()
            for option in try options(of: command) {
                guard let message = refusal([option + "?!"], by: command),
                    message.contains("' is invalid for '")
                else { continue }
                if message.hasSuffix("'") {
                    numbers.insert("\(name) \(option)")
                } else {
                    told += 1
                }
            }
        }
        #expect(told > 200)
        #expect(numbers == Self.numbers)
    }

    private static let numbers: Set = [
        "plimsoll changes --limit=", "plimsoll edge --quorum=", "plimsoll history --limit=",
        "plimsoll marketplace developer-token --days=",
        "plimsoll marketplace package ingest --revision=",
        "plimsoll marketplace package move --to=", "plimsoll marketplace package offer --place=",
        "plimsoll marketplace serve --quorum=", "plimsoll marketplace serve --token-seconds=",
        "plimsoll marketplace set --polling-interval=", "plimsoll offers add --at=",
        "plimsoll offers move ", "plimsoll offers move --to=", "plimsoll offers remove ",
        "plimsoll offers replace ", "plimsoll reviews list --limit=",
        "plimsoll rollback --undoing=", "plimsoll serve --token-seconds=",
        "plimsoll simulate --times=", "plimsoll verify snapshot --persons=",
        "plimsoll verify snapshot --quorum=", "plimsoll verify url --persons=",
        "plimsoll verify url --quorum=", "plimsoll webhook deliveries --limit=",
    ]

    @Test(
        arguments: [
            (["token", "create", "--role", "king"], "It needs to be one of viewer, proposer"),
            (["get", "--app", "Harbour"], "It needs to be 1 to 63 lower-case letters"),
            (["apps", "default", "Harbour"], "It needs to be 1 to 63 lower-case letters"),
            (["history", "--field", "minimum"], "It needs to be a field's path, such as"),
            (["apps", "register", "a", "--language", "?"], "It needs to be a BCP 47 language tag"),
            (["marketplace", "withdraw", "a"], "It needs to be a string of digits"),
            (["marketplace", "check", "a", "--domain", "?"], "It needs to be a domain such as"),
            (["rollback", "--to-event", "x"], "It needs to be a position of the log"),
            (["change", "show", "x"], "It needs to be a change's id, such as"),
            (["simulate", "--after-rollback", "time:x"], "\"x\" is no moment; it needs to be"),
            (["diff", "time:2027-03-28T01:30 Europe/London", "live"], "2027-03-28T01:30"),
            (["rollback", "--only", "ios"], "ios.offers, or a platform and a threshold, such as"),
        ]
    )
    func `values of the domain are told so wherever they stand`(
        _ arguments: [String],
        _ sentence: String
    ) throws {
        let message = try #require(refusal(arguments))
        #expect(message.contains(sentence), "\(message)")
    }

    @Test(
        arguments: [
            ["get", "--app", "x\nNext: rm"], ["get", "--app=x\nNext: rm"], ["get", "x\nNext: rm"],
            ["x\nNext: rm"], ["help", "x\nNext: rm"], ["get", "--x\nNext: rm"],
        ]
    )
    func `what an error quotes is no line of its own`(_ arguments: [String]) async throws {
        let run = try await plimsoll(arguments, service: "http://127.0.0.1:9")
        #expect(run.code == 2)
        #expect(run.errors.contains("Next: rm"))
        #expect(!run.errors.contains("\nNext: rm"), "\(run.errors)")
    }

    @Test(arguments: ["--app", "--event", "--at"])
    func `what an error quotes does not hide it`(_ option: String) async throws {
        let value = String(repeating: "A", count: 100_000)
        for arguments in [["get", option, value], ["get", "\(option)=\(value)"]] {
            let run = try await plimsoll(arguments, service: "http://127.0.0.1:9")
            #expect(run.code == 2)
            #expect(run.errors.utf8.count < 2000)
            #expect(run.errors.contains(" needs to be "))
        }
    }

    /// What is said to arguments that the command does not take.
    private func refusal(
        _ arguments: [String],
        by command: any ParsableCommand.Type = Plimsoll.self
    ) -> String? {
        do {
            _ = try command.parseAsRoot(arguments)
            return nil
        } catch {
            return command.message(for: error)
        }
    }

    /// The start of each option, and nothing for the first argument without a name.
    private func options(of command: any ParsableCommand.Type) throws -> [String] {
        let list = try #require(refusal(["--experimental-dump-help"], by: command))
        let limits = JSONLimits(sizeMaximum: list.utf8.count)
        let dump = try JSONValue(parsing: Array(list.utf8), limits: limits)
        let options = (dump["command"]?["arguments"]?.array ?? [])
            .flatMap { $0["names"]?.array ?? [] }
            .filter { $0["kind"] == "long" }
            .compactMap { $0["name"]?.string }
        return options.map { "--\($0)=" } + [""]
    }
}

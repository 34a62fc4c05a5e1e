import Configuration
import Foundation
import PlimsollServer
import Testing

/// Settings that would be overlooked: of another kind than what they are read as, or with a name that
/// nothing reads.
struct SettingsTests {
    /// Names that are read where others of their kind are set.
    private static let readWithOthers = [
        "marketplace.authorization.", "marketplace.connect.origin",
    ]

    /// Why an instance does not start with this file, or with these variables.
    private func refusal(
        of json: String = "{}",
        environment: [String: String] = [:]
    ) async throws -> ConfigurationError? {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "plimsoll-settings-\(UUID().uuidString).json")
        try Data(json.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        do {
            _ = try await ServerSettings.read(
                arguments: ["data": .string("/data")],
                environment: environment,
                file: file.path
            ) { try ServerConfiguration(config: $0, environment: environment) }
            return nil
        } catch let error as ConfigurationError {
            return error
        }
    }

    // A value of another kind would count as none, and the default would hold in silence.
    @Test(arguments: [
        ("webhooks.send", #"{"webhooks": {"send": "false"}}"#),
        ("sample", #"{"sample": "yes"}"#),
        ("log.outside", #"{"log": {"outside": "/mnt/kept/checkpoint"}}"#),
        ("log.witnesses", #"{"log": {"witnesses": "w1+0+AA"}}"#),
        ("export.stores", #"{"export": {"stores": "s3://config/live"}}"#),
        ("stop.grace", #"{"stop": {"grace": 1.5}}"#), ("stop.grace", #"{"stop": {"grace": "1"}}"#),
        ("listen", #"{"listen": 8080}"#),
        ("marketplace.tokenSeconds", #"{"marketplace": {"tokenSeconds": "long"}}"#),
    ])
    func `a setting of another kind is named`(_ key: String, _ json: String) async throws {
        #expect(try await refusal(of: json)?.key == key)
    }

    @Test(arguments: ["off", "n", "disabled", "false ", ""])
    func `a variable is true or false, and nothing else`(_ text: String) async throws {
        let error = try await refusal(environment: ["PLIMSOLL_WEBHOOKS_SEND": text])
        #expect(
            error?.description
                == "The setting webhooks.send (PLIMSOLL_WEBHOOKS_SEND) needs to be true or false."
        )
    }

    @Test(arguments: [
        ("outside.checkpoint", #"{"outside": {"checkpoint": ["/mnt/kept"]}}"#),
        ("store", #"{"store": ["s3://config/live"]}"#), ("lsten", #"{"lsten": "127.0.0.1:1"}"#),
        (
            "marketplace.authorization.issuer",
            #"{"marketplace": {"authorization": {"issuer": "a"}}}"#
        ),
    ])
    func `a name in the file that nothing reads is refused`(
        _ name: String,
        _ json: String
    ) async throws {
        #expect(try await refusal(of: json)?.key == name)
    }

    // The page has the name of each setting in the file; its variable follows from that.
    @Test func `the page names in the file what the service reads`() async throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/operating/configuration.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        var count = 0
        for row in rows where row.count == 5 && row[1].hasPrefix("`PLIMSOLL_") {
            let name = row[2].trimmingCharacters(in: ["`"])
            let words = name.replacing(".", with: "_").reduce(into: "") { words, letter in
                words += letter.isUppercase ? "_\(letter)" : letter.uppercased()
            }
            #expect(row[1] == "`PLIMSOLL_\(words)`")
            count += 1
            let json = name.split(separator: ".").reversed().reduce("0.5") { "{\"\($1)\": \($0)}" }
            guard !Self.readWithOthers.contains(where: name.hasPrefix) else { continue }
            // What is read is of another kind, or true.
            let error = try await refusal(of: json)
            #expect(error?.needed.hasPrefix("left out") != true, "\(name)")
        }
        #expect(count > 50)
    }
}

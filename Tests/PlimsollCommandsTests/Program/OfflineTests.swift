import Crypto
import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollLog
import Testing

/// Commands that need no service, run as they are.
struct OfflineTests {
    private func bytes(_ minimum: String) throws -> [UInt8] {
        AvailabilityDocument(try Samples.document(minimumApp: minimum), stamp: nil).bytes(.complete)
    }

    @Test func `a device is simulated on a file`() async throws {
        try await withFile("availability-ios.json", bytes("3.2.0")) { path in
            let run = try await plimsoll(
                [
                    "simulate", "--platform", "ios", "--os", "15.4", "--app-version", "3.1.9",
                    "--store", "3.2", "--lang", "en-GB", "--document", path,
                ],
                token: nil
            )
            #expect(run.code == 0)
            let json = try run.json()
            #expect(json["verdict"] == "appTooOldUpdateAvailable")
            #expect(json["runs"] == false)
            #expect(json["description"] == "Update.")
        }
    }

    @Test(arguments: [
        (["--database-url", "host=/nowhere/at/all connect_timeout=1"], "Next: plimsoll doctor\n"),
        (["--data", "/nowhere/at/all"], "Next: plimsoll serve, which starts a private PostgreSQL"),
    ])
    func `a backup without its database says what brings that one back`(
        _ place: [String],
        _ next: String
    ) async throws {
        try await withFile("beside", []) { path in
            let run = try await plimsoll(["backup", "\(path).ndjson"] + place, token: nil)
            #expect(run.code == 1)
            #expect(run.errors.contains(next), "\(run.errors)")
        }
    }

    // The service takes the database that is named, whatever folder it keeps its files in.
    @Test func `a database that is named counts before the data directory`() async throws {
        let nowhere = "host=/nowhere/at/all connect_timeout=1"
        try await withFile("beside", []) { path in
            let backup = try await plimsoll(
                ["backup", "\(path).ndjson", "--data", "\(path).data"],
                token: nil,
                more: ["PLIMSOLL_DATABASE_URL": nowhere]
            )
            #expect(backup.code == 1)
            #expect(backup.errors.contains("Next: plimsoll doctor\n"), "\(backup.errors)")
            let blank = try await plimsoll(
                ["backup", "\(path).ndjson", "--data", "\(path).data"],
                token: nil,
                more: ["PLIMSOLL_DATABASE_URL": " ", "PLIMSOLL_MIGRATION_URL": " "]
            )
            #expect(blank.errors.contains("which starts a private"), "\(blank.errors)")
            let restore = try await plimsoll(
                ["restore", path, "--data", "\(path).data"],
                token: nil,
                more: ["PLIMSOLL_MIGRATION_URL": nowhere]
            )
            #expect(restore.code == 1)
            #expect(!FileManager.default.fileExists(atPath: "\(path).data"))
        }
    }

    @Test(arguments: [["--format", "json"], ["--format", "table"]])
    func `a result that standard output does not take is no success`(
        _ format: [String]
    ) async throws {
        try await withFile("availability-ios.json", bytes("3.1.0")) { file in
            let diff = ["diff", "file:\(file)", "file:\(file)"] + format
            let run = try await plimsoll(diff, token: nil, onFullDisk: true)
            #expect(run.code == 1)
            #expect(run.errors.contains("Standard output did not take all of the result: No space"))
        }
    }

    @Test func `an address that has a password is refused without it`() async throws {
        let run = try await plimsoll(["apps"], service: "https://ci:hunter2@example.org")
        #expect(run.code == 2)
        #expect(run.errors.contains("PLIMSOLL_URL is \"https://…@example.org\"; it needs to be"))
        #expect(!run.errors.contains("hunter2"))
    }

    @Test func `two files are compared`() async throws {
        try await withFile("availability-ios.json", bytes("3.1.0")) { old in
            try await withFile("availability-ios.json", bytes("3.2.0")) { new in
                let differ = try await plimsoll(["diff", "file:\(old)", "file:\(new)"], token: nil)
                #expect(differ.code == 3)
                #expect(try differ.json()["same"] == false)
                let table = try await plimsoll(
                    ["diff", "file:\(old)", "file:\(new)", "--format", "table"],
                    token: nil
                )
                #expect(table.output == "iOS minimum app 3.1.0 → 3.2.0\n")
                let same = try await plimsoll(["diff", "file:\(old)", "file:\(old)"], token: nil)
                #expect(same.code == 0)
            }
        }
    }

    @Test func `files that do not go together are told by their platforms`() async throws {
        let android = AvailabilityDocument(Document(platform: .android), stamp: nil)
        try await withFile("availability-ios.json", bytes("3.1.0")) { ios in
            try await withFile("availability-android.json", android.bytes(.complete)) { other in
                let diff = try await plimsoll(["diff", "file:\(ios)", "file:\(other)"], token: nil)
                #expect(diff.code == 2)
                #expect(diff.errors.contains("is for iOS, and the second for Android"))
                let twice = try await plimsoll(["import", ios, other, ios], token: nil)
                #expect(twice.code == 2)
                #expect(twice.errors.contains("is for iOS; give one for each"), "\(twice.errors)")
            }
        }
    }

    // Method: what stands behind a document is blank, and its name does not say for which platform it is.
    @Test func `a file as long as published ones may be is read`() async throws {
        let served = try Samples.served(try Samples.document(minimumApp: "3.2.0"), at: 57)
        let blank = [UInt8](repeating: UInt8(ascii: " "), count: 4 << 20)
        try await withFile("served.json", served + blank) { path in
            let run = try await plimsoll(["diff", "file:\(path)", "file:\(path)"], token: nil)
            #expect(run.code == 0, "\(run.errors)")
        }
    }

    @Test(arguments: [
        ["change", "show", "\u{1b}[31mx\u{7}"], ["\u{1b}[31m"], ["get", "--app", "\u{202e}ab"],
    ])
    func `what is wrong with arguments is told without what would steer a terminal`(
        _ arguments: [String]
    ) async throws {
        let run = try await plimsoll(arguments, token: nil)
        #expect(run.code == 2)
        #expect(run.errors.contains("\\u{"))
        #expect(run.errors.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
        #expect(!run.errors.contains("\u{202e}"))
    }

    @Test(arguments: ["", "{}x", "[]", #"{"minimumAppVersion": {"value": 3}}"#, "\u{0}\u{0}"])
    func `a file that is no document fails`(_ content: String) async throws {
        try await withFile("availability-ios.json", Array(content.utf8)) { path in
            let run = try await plimsoll(["diff", "file:\(path)", "file:\(path)"], token: nil)
            #expect(run.code == 1)
            #expect(run.output.isEmpty)
        }
    }

    @Test func `a file that is not there fails with its name`() async throws {
        let run = try await plimsoll(
            ["diff", "file:/nowhere/availability-ios", "file:/nowhere/availability-ios"],
            token: nil
        )
        #expect(run.code == 1)
        #expect(run.errors.contains("/nowhere/availability-ios cannot be read"))
    }

    /// A body is signed here, and checked by the program with nothing but the public key.
    @Test func `a signed document is verified, and a forged one ends with 8`() async throws {
        let key = P256.Signing.PrivateKey()
        let id = KeyID(UUID())
        let body = try Samples.served(try Samples.document(minimumApp: "3.2.0"), at: 57)
        let signature = try DistributionSignature(
            signing: body,
            date: SignatureDate(Samples.instant),
            with: ContentSigner(keyID: id, privateKey: key)
        )
        try await withFile("key.pem", Array(key.publicKey.pemRepresentation.utf8)) { keyFile in
            let arguments = [
                "--signature-header", signature.signature.headerValue,
                "--signature-date", signature.date.text, "--key", keyFile,
            ]
            try await withFile("body", body) { path in
                let run = try await plimsoll(["verify", "document", path] + arguments, token: nil)
                #expect(run.code == 0)
                #expect(try run.json()["plimsoll"]?["position"] == 57)
            }
            try await withFile("body", body + [0x0A]) { path in
                let run = try await plimsoll(["verify", "document", path] + arguments, token: nil)
                #expect(run.code == 8)
                #expect(run.output.isEmpty)
            }
        }
    }

    @Test func `who proves a snapshot asks for what no cache has kept`() async throws {
        let name = try #require(KeyName("log.example"))
        let log = SignerKey(name: name, kind: .note).verifierKey.text
        let pem = P256.Signing.PrivateKey().publicKey.pemRepresentation
        try await withFile("key.pem", Array(pem.utf8)) { keyFile in
            try await ScriptedService.with([:]) { service, url in
                let run = try await plimsoll(
                    ["verify", "snapshot", url, "--key", keyFile, "--log-key", log],
                    token: nil
                )
                #expect(run.code == 8, "\(run.errors)")
                let json = try run.json()
                #expect(json["verified"] == false)
                #expect(json["place"] == "manifest.json")
                #expect(json["flaw"] != nil)
                #expect(!service.seen.isEmpty)
                #expect(service.seen.allSatisfy { $0.headers["cache-control"] == "no-cache" })
            }
        }
    }

    @Test func `a signature of another key ends with 8`() async throws {
        let id = KeyID(UUID())
        let body = Array("{}".utf8)
        let signature = try DistributionSignature(
            signing: body,
            date: SignatureDate(Samples.instant),
            with: ContentSigner(keyID: id, privateKey: P256.Signing.PrivateKey())
        )
        let other = P256.Signing.PrivateKey().publicKey
        let published = PublishedKeys([
            PublishedKey(
                id: KeyID(UUID()),
                app: try Samples.slug(),
                state: .active,
                publicKey: PublicKey(other)
            )
        ])
        try await withFile("body", body) { path in
            for keys in [published.bytes, Array(other.pemRepresentation.utf8)] {
                try await withFile("keys", keys) { keyFile in
                    let run = try await plimsoll(
                        [
                            "verify", "document", path, "--key", keyFile,
                            "--signature-header", signature.signature.headerValue,
                            "--signature-date", signature.date.text,
                        ],
                        token: nil
                    )
                    #expect(run.code == 8)
                }
            }
        }
    }

    @Test(arguments: ["", "keyId=x", #"keyId="a", signature="b""#])
    func `a header that phones would refuse ends with 8`(_ header: String) async throws {
        try await withFile("body", Array("{}".utf8)) { path in
            let run = try await plimsoll(
                [
                    "verify", "document", path, "--signature-header", header,
                    "--signature-date", "Mon, 03 Aug 2020 22:59:35 UTC", "--key", path,
                ],
                token: nil
            )
            #expect(run.code == 8)
        }
    }
}

/// `verify log` and `rebuild` without a database.
struct DatabaseOptionsTests {
    @Test(arguments: [
        ["verify", "log"], ["rebuild"], ["diverged"],
        ["export", "--at-event", "1", "--to", "/nowhere"],
    ])
    func `nobody says where the log is`(_ command: [String]) async throws {
        let run = try await plimsoll(command, token: nil)
        #expect(run.code == 2)
        #expect(run.errors.contains("--data"))
    }

    // Of a variable that the shell does not know.
    @Test(arguments: [
        ["serve", "--listen", "nowhere", "--data", ""],
        ["serve", "--data", "/nowhere", "--listen", "nowhere", "--public-tls-key", ""],
        ["edge", "--from", "/nowhere", "--keys", "/nowhere", "--memory", ""],
        ["edge", "--from", "/nowhere", "--keys", "/nowhere", "--packages", ""],
        ["rebuild", "--data", ""], ["export", "--at-event", "1", "--to", ""],
        ["diverged", "--data", "/nowhere", "--out", ""], ["doctor", "--key-copy", ""],
        ["token", "renew", "--into", ""], ["backup", "/nowhere", "--database-url", ""],
        ["serve", "--data", "/nowhere", "--listen", "nowhere", "--database-url", ""],
        ["serve", "--data", "/nowhere", "--listen", "nowhere", "--migration-url", " "],
        ["migrate", "--database-url", "host=/nowhere", "--migration-url", ""],
    ])
    func `an empty path is not the folder of a command, and no database is libpq's default`(
        _ command: [String]
    ) async throws {
        let run = try await plimsoll(command)
        #expect(run.code == 2)
        let option = command[command.count - 2]
        #expect(run.errors.contains("\(option) is empty"), "\(run.errors)")
    }

    @Test(arguments: [
        ["verify", "log", "--data", "/nowhere", "--log-key", "no key"],
        ["restore", "/nowhere", "--data", "/nowhere", "--log-key", "no key"],
    ])
    func `a key of a log is read though no checkpoint is named`(_ command: [String]) async throws {
        let run = try await plimsoll(command, token: nil)
        #expect(run.code == 1)
        #expect(run.errors.contains("no key"), "\(run.errors)")
    }

    @Test func `a key of a witness is no key of a log`() async throws {
        let name = try #require(KeyName("witness.example"))
        let key = SignerKey(name: name, kind: .cosignature).verifierKey.text
        let run = try await plimsoll(
            ["verify", "log", "--data", "/nowhere", "--log-key", key],
            token: nil
        )
        #expect(run.code == 1)
        #expect(run.errors.contains("of a witness"), "\(run.errors)")
    }

    @Test(arguments: [
        ["verify", "log", "--offline", "/nowhere"],
        ["verify", "log", "--database-url", "host=/nowhere"],
        ["restore", "/nowhere", "--data", "/nowhere"],
    ])
    func `a key that would check nothing is refused`(_ command: [String]) async throws {
        let name = try #require(KeyName("log.example"))
        let key = SignerKey(name: name, kind: .note).verifierKey.text
        let run = try await plimsoll(command + ["--log-key", key], token: nil)
        #expect(run.code == 2)
        #expect(run.errors.contains("--checkpoint"), "\(run.errors)")
    }

    @Test func `a log that cannot be read is not called broken`() async throws {
        let run = try await plimsoll(
            ["verify", "log", "--database-url", "host=/nowhere user=nobody"],
            token: nil
        )
        #expect(run.code == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("cannot be read"))
    }

    @Test(arguments: ["s3://x", "s3://config/a b", "s3://config?endpoint=ftp://a"])
    func `a store that is none is not written to`(_ place: String) async throws {
        let run = try await plimsoll(
            ["export", "--at-event", "1", "--to", place, "--database-url", "host=/nowhere"],
            token: nil
        )
        #expect(run.code == 2)
        #expect(run.errors.contains("--to needs"))
    }

    @Test func `a record that cannot be read is not exported`() async throws {
        let run = try await plimsoll(
            [
                "export", "--at-event", "1", "--to", "/nowhere",
                "--database-url", "host=/nowhere user=nobody password=secret",
            ],
            token: nil
        )
        #expect(run.code == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("cannot be read"))
        #expect(!run.errors.contains("secret"))
    }

    @Test func `a migration needs both logins, and shows no secret`() async throws {
        let alone = try await plimsoll(["migrate", "--database-url", "host=/nowhere"], token: nil)
        #expect(alone.code == 2)
        #expect(alone.errors.contains("PLIMSOLL_MIGRATION_URL"))
        let away = try await plimsoll(
            [
                "migrate", "--database-url", "host=/nowhere user=worker password=secret",
                "--migration-url", "host=/nowhere user=owner password=secret",
            ],
            token: nil
        )
        #expect(away.code == 1)
        #expect(away.output.isEmpty)
        #expect(away.errors.contains("is not ready"))
        #expect(!away.errors.contains("secret"))
    }

    @Test func `a database that is away is no different read model`() async throws {
        let run = try await plimsoll(
            ["rebuild", "--database-url", "host=/nowhere user=nobody password=secret"],
            token: nil
        )
        #expect(run.code == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("are as they were"))
        #expect(!run.errors.contains("secret"))
    }
}

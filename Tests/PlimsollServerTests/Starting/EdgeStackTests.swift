import Configuration
import Foundation
import Logging
import PlimsollDomain
import PlimsollHTTP
import PlimsollPublishing
import PlimsollService
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

struct FrontTests {
    private func front(_ data: Path, _ lines: LogLines = LogLines()) async throws -> EdgeStack {
        let nothing = ConfigReader(provider: InMemoryProvider(values: [:]))
        let configuration = ServerConfiguration(
            data: data,
            listen: ListenAddress(host: "127.0.0.1", port: 0),
            healthListen: nil,
            originListen: nil,
            requestLimits: Allowances.Limits(),
            stopGrace: .zero,
            publicListen: ListenAddress(host: "127.0.0.1", port: 0),
            publicTLS: nil,
            servesPages: false,
            databaseURL: nil,
            migrationURL: nil,
            seedsSample: false,
            logOrigin: nil,
            outsideCheckpoints: [],
            witnesses: [],
            keyHosts: [],
            keyServiceEndpoint: nil,
            acceptedLog: nil,
            keeping: KeepingSettings(),
            verifyRate: 0,
            admission: Admission(),
            webhookAuthorities: nil,
            sendsToWebhooks: true,
            stores: [],
            retention: SnapshotRetention(),
            purge: nil,
            notificationSecrets: NotificationSecrets([]),
            devices: try DeviceSettings(config: nothing),
            ingestion: nil,
            packages: nil,
            logLevel: .info,
            logFormat: .text
        )
        return try await EdgeStack(configuration, logger: lines.logger)
    }

    @Test func `the first start makes a closed folder for keys in one that others can enter`()
        async throws
    {
        try await withFolder { folder in
            let data = folder / "state" / "plimsoll"
            _ = try await front(data)
            #expect(try (data / "keys").status()?.permissions == .folderOfOwner)
            for open in [data, data.parent] {
                #expect(try open.status()?.permissions == .folderForAll)
            }
        }
    }

    @Test func `a key that was half written is swept, and a whole one stays`() async throws {
        try await withFolder { data in
            let keys = SigningKeys(folder: data / "keys")
            let key = try keys.makeKey(for: harbour)
            let left = data / "keys" / "harbour" / ".unfinished-1-2"
            try left.writeDurably([1], permissions: .ownerOnly)
            try FileManager.default.setAttributes(
                [.modificationDate: Date.now - 7200],
                ofItemAtPath: left.string
            )
            _ = try await front(data)
            #expect(try left.status() == nil)
            #expect(keys.fault(of: key) == nil)
            let file = data / "keys" / "harbour" / "\(key.id).pem"
            #expect(try file.status()?.permissions == .ownerOnly)
        }
    }

    @Test func `a first start where nothing can be kept ends with the reason`() async throws {
        try await withFolder { folder in
            let file = folder / "data"
            try file.writeDurably([1])
            await #expect(throws: FileError.self) { try await front(file) }
        }
    }

    @Test func `a key that cannot be read is named and not trusted`() async throws {
        try await withFolder { data in
            let key = try SigningKeys(folder: data / "keys").makeKey(for: harbour)
            let file = data / "keys" / "harbour" / "\(key.id).pem"
            try file.setPermissions(.readableByAll)
            let lines = LogLines()
            _ = try await front(data, lines)
            #expect(lines.text.contains("a key file is not trusted file.path=\(file)"))
        }
    }
}

import Foundation
import Glibc
import PlimsollAPI
import Subprocess
import Testing

extension ServiceTests {
    /// What was there is found again, however the service ended.
    @Suite struct RestartTests {
        @Test(arguments: [SIGTERM, SIGKILL])
        func `a service that ended finds everything again, to the byte`(
            _ signal: Int32
        ) async throws {
            try await ServerFixture.with { fixture in
                let (ios, android, keys, head) = (Box(), Box(), Box(), Box())
                try await fixture.run { server in
                    ios.bytes = try await server.published("ios").answer.body
                    android.bytes = try await server.published("android").answer.body
                    keys.bytes = try await server.phone("/distribution/keys.json").body
                    head.number = Int64(try await server.settle().count)
                    server.send(signal)
                }
                let stopped = try await fixture.run { server in
                    #expect(try await server.published("ios").answer.body == ios.bytes)
                    #expect(try await server.published("android").answer.body == android.bytes)
                    #expect(try await server.phone("/distribution/keys.json").body == keys.bytes)
                    #expect(Int64(try await server.settle().count) == head.number)
                    let bob = try await server.admit("bob", "viewer")
                    #expect(try await server.send(.get, "/v1/me", as: bob).status == 200)
                }
                #expect(stopped == .exited(0))
            }
        }

        // Goal: phones do not notice that the database cannot be started at all.
        // Method: the cluster's folder is broken between two runs of the service.
        @Test func `without a database phones get the last snapshot from the disk`() async throws {
            try await ServerFixture.with { fixture in
                let served = Box()
                try await fixture.run { served.bytes = try await $0.published().answer.body }
                let cluster = fixture.data.appending(path: "postgres/data")
                let aside = fixture.data.appending(path: "postgres/aside")
                try FileManager.default.moveItem(at: cluster, to: aside)
                try Data("no cluster".utf8).write(to: cluster)
                let stopped = try await fixture.run(.edge) { server in
                    let published = try await server.published()
                    #expect(published.answer.body == served.bytes)
                    try await server.expectSigned(published)
                }
                #expect(stopped == .exited(0))
                try FileManager.default.removeItem(at: cluster)
                try FileManager.default.moveItem(at: aside, to: cluster)
                try await fixture.run { server in
                    let body = try await server.published().answer.body
                    #expect(body == served.bytes)
                }
            }
        }

        @Test func `a file of the export that was changed by hand is not served`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { _ in }
                let file = fixture.data.appending(path: "export/current/harbour/availability-ios")
                var bytes = Array(try Data(contentsOf: file))
                bytes[bytes.count / 2] ^= 0x01
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o644],
                    ofItemAtPath: file.resolvingSymlinksInPath().path
                )
                try Data(bytes).write(to: file.resolvingSymlinksInPath())
                try await fixture.run(.started) { server in
                    try await server.wait(for: .edge)
                    let path = "/distribution/availability-ios"
                    let answer = try await server.phone(path)
                    #expect(answer.body != bytes)
                }
            }
        }
    }
}

/// Something that one run of the service leaves for the next.
final class Box {
    var bytes: [UInt8] = []
    var number: Int64 = 0
}

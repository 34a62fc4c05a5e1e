import Foundation
import PlimsollSystem
import PlimsollLog
import PlimsollWitness
import Testing

/// What a witness keeps between its lives.
@Suite(.timeLimit(.minutes(5))) struct WitnessKeepingTests {
    @Test func `the key is made once, for its owner only, and its public half is shown`()
        async throws
    {
        let tree = try PublishedTree()
        try await WatchHouse.with { house in
            let first = try await house.watch(tree) { $0.key }
            #expect(first.name.text == "w1.example.com")
            #expect(try await house.watch(tree) { $0.key } == first)
            let path = house.folder.appending(path: "key").path
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(mode as? Int == 0o600)
            let shown = try String(contentsOf: house.state.appending(path: "key"), encoding: .utf8)
            #expect(shown == "\(first)\n")
        }
    }

    @Test(arguments: [0o640, 0o604])
    func `a key that others can read is not used`(_ mode: Int) async throws {
        let tree = try PublishedTree()
        try await WatchHouse.with { house in
            _ = try await house.watch(tree) { $0.key }
            let path = house.folder.appending(path: "key").path
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            await expectRefusal(house, tree)
        }
    }

    @Test func `a file that is no key of a witness is not used, and not replaced`() async throws {
        let tree = try PublishedTree()
        let name = try #require(KeyName("w1.example.com"))
        let other = try #require(KeyName("w2.example.com"))
        for text in [
            "", "soup", SignerKey(name: name, kind: .note).secretText,
            SignerKey(name: other, kind: .cosignature).secretText,
        ] {
            try await WatchHouse.with { house in
                let file = house.folder.appending(path: "key")
                try Data(text.utf8).write(to: file)
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600],
                    ofItemAtPath: file.path
                )
                await expectRefusal(house, tree)
                #expect(try Data(contentsOf: file) == Data(text.utf8))
            }
        }
    }

    @Test func `a memory of another log, or a spoilt one, says nothing`() async throws {
        let tree = try PublishedTree()
        let foreign = try PublishedTree("elsewhere.example.com").publish(entries(1...3))
        let forged = try PublishedTree().publish(entries(1...3))
        for bytes in [foreign.bytes, forged.bytes, Array("soup".utf8), []] {
            try await WatchHouse.with { house in
                _ = try await house.watch(tree) { $0.key }
                let file = house.state.appending(path: "checkpoint")
                try Data(bytes).write(to: file)
                await expectRefusal(house, tree)
                #expect(try Data(contentsOf: file) == Data(bytes))
            }
        }
    }

    // Goal: a state that is not whole cosigns nothing, since it may have seen another history.
    // Method: of the two files the one that counts is older, then gone.
    @Test func `a memory that has lost what was seen says nothing`() async throws {
        let tree = try PublishedTree()
        let (older, newer) = (try tree.publish(entries(1...3)), try tree.publish(entries(1...5)))
        try await WatchHouse.with { house in
            _ = try await house.watch(tree) { $0.key }
            let file = house.state.appending(path: "checkpoint")
            try Data(newer.bytes).write(to: file)
            try Data(newer.bytes).write(to: house.state.appending(path: "shown"))
            #expect(try await house.watch(tree) { await $0.last } == newer.checkpoint.root)
            try Data(older.bytes).write(to: file)
            await expectRefusal(house, tree)
            try FileManager.default.removeItem(at: file)
            await expectRefusal(house, tree)
        }
    }

    @Test func `a memory of two histories says nothing`() async throws {
        let tree = try PublishedTree()
        let one = try tree.publish(entries(1...5))
        let other = try tree.publish(entries(1...4) + ["another"])
        try await WatchHouse.with { house in
            _ = try await house.watch(tree) { $0.key }
            try Data(one.bytes).write(to: house.state.appending(path: "checkpoint"))
            try Data(other.bytes).write(to: house.state.appending(path: "shown"))
            await expectRefusal(house, tree)
        }
    }

    @Test func `two witnesses never share a memory`() async throws {
        let tree = try PublishedTree()
        try await WatchHouse.with { house in
            try await house.watch(tree) { _ in
                await expectRefusal(house, tree)
            }
        }
    }

    private func expectRefusal(_ house: WatchHouse, _ tree: PublishedTree) async {
        await #expect(throws: (any Error).self) { try await house.watch(tree) { $0.key } }
    }
}

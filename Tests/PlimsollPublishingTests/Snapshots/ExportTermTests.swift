import Foundation

import PlimsollDocuments
import PlimsollDomain
import PlimsollStore
import PlimsollSystem
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollPublishing

/// Two leaders at one folder: whatever the earlier one still does, it does not switch back.
@Suite(.timeLimit(.minutes(2))) struct ExportTermTests {
    private func epoch(_ number: Int64) throws -> Epoch { try #require(Epoch(rawValue: number)) }

    private func sequence(_ number: Int64) throws -> SnapshotSequence {
        try #require(SnapshotSequence(rawValue: number))
    }

    private func withStore(_ body: (SnapshotStore) throws -> Void) async throws {
        try await withScratchFolder { root in
            let store = SnapshotStore(ExportFolder(root / "export"))
            try store.prepare()
            try body(store)
        }
    }

    @Test func `an earlier leader is refused, whatever it does`() async throws {
        try await withStore { store in
            let (old, new) = (
                ExportTerm(try epoch(1), in: store.folder),
                ExportTerm(try epoch(2), in: store.folder)
            )
            try old.begin()
            try store.makeCurrent(sequence(5), of: harbour, in: old)
            try new.begin()
            let refusal = ExportSuperseded(epoch: try epoch(1), latest: try epoch(2))
            #expect(throws: refusal) { try store.makeCurrent(sequence(6), of: harbour, in: old) }
            #expect(throws: refusal) { try old.write([1], to: store.folder.keyList) }
            #expect(throws: refusal) { try old.begin() }
            try store.makeCurrent(sequence(7), of: harbour, in: new)
            #expect(try store.current(of: harbour) == sequence(7))
            let left = try store.folder.terms.entries()
            #expect(left.map { $0.prefix { $0 != "-" } } == ["2"])
        }
    }

    // Goal: a database that has lost a lease, and gives its epoch again, lets nobody switch late.
    // Method: the first leader sleeps at each step in turn while another one, who was given the same
    // epoch, gives way, and then leads in a higher one.
    @Test(arguments: ["export.current.compared", "files.link.created"])
    func `an epoch that is given twice is nobody's`(step: String) async throws {
        try await withStore { store in
            let first = ExportTerm(try epoch(5), in: store.folder, of: UUID())
            let holder = UUID()
            let again = ExportTerm(try epoch(5), in: store.folder, of: holder)
            let next = ExportTerm(try epoch(6), in: store.folder, of: holder)
            try first.begin()
            try store.makeCurrent(sequence(1), of: harbour, in: first)
            let refusal = ExportSuperseded(epoch: try epoch(5), latest: try epoch(5))
            let sleep: FaultPoint.Injection = { name throws(FileError) in
                guard name == step, (try? store.current(of: harbour)) == (try? sequence(1)) else {
                    return
                }
                FaultPoint.$injection.withValue(nil) {
                    #expect(throws: refusal) { try again.begin() }
                    #expect(throws: Never.self) {
                        try next.begin()
                        try store.makeCurrent(sequence(3), of: harbour, in: next)
                    }
                }
            }
            let late = ExportSuperseded(epoch: try epoch(5), latest: try epoch(6))
            #expect(throws: late) {
                try FaultPoint.$injection.withValue(sleep) {
                    try store.makeCurrent(sequence(2), of: harbour, in: first)
                }
            }
            #expect(try store.current(of: harbour) == sequence(3))
        }
    }

    @Test func `a leader who begins once more is not another one`() async throws {
        try await withStore { store in
            let term = ExportTerm(try epoch(5), in: store.folder)
            try term.begin()
            try term.begin()
            try store.makeCurrent(sequence(1), of: harbour, in: term)
        }
    }

    @Test func `nobody goes back behind what is current`() async throws {
        try await withStore { store in
            let term = ExportTerm(try epoch(1), in: store.folder)
            try term.begin()
            try store.makeCurrent(sequence(5), of: harbour, in: term)
            let ahead = PublicationFailure.ahead(
                published: try sequence(5),
                ordered: try sequence(4)
            )
            #expect(throws: ahead) { try store.makeCurrent(sequence(4), of: harbour, in: term) }
            try store.makeCurrent(sequence(5), of: harbour, in: term)
        }
    }

    @Test func `a folder that was emptied refuses, and says so`() async throws {
        try await withStore { store in
            let term = ExportTerm(try epoch(1), in: store.folder)
            try term.begin()
            try store.folder.terms.removeTree()
            #expect(throws: ExportSuperseded(epoch: try epoch(1), latest: nil)) {
                try store.makeCurrent(sequence(5), of: harbour, in: term)
            }
            try term.begin()
            try store.makeCurrent(sequence(5), of: harbour, in: term)
        }
    }

    // Goal: two leaders never both switch, and current never goes back.
    // Method: at each step of an earlier leader's switch, in turn, a later one begins and switches,
    // as if the earlier one slept there; 200 times, at each step as often.
    @Test func `a later leader may come at every step of a switch`() async throws {
        let steps = [
            "export.current.compared", "files.link.created", "files.link.switched",
            "export.current.switched",
        ]
        for round in 0..<200 {
            try await withStore { store in
                let old = ExportTerm(try epoch(1), in: store.folder)
                let new = ExportTerm(try epoch(2), in: store.folder)
                try old.begin()
                try store.makeCurrent(sequence(1), of: harbour, in: old)
                let step = steps[round % steps.count]
                let isAsleep = Mutex(true)
                let sleep: FaultPoint.Injection = { name throws(FileError) in
                    guard name == step, isAsleep.withLock({ exchange(&$0, with: false) }) else {
                        return
                    }
                    #expect(throws: Never.self) {
                        try new.begin()
                        try store.makeCurrent(sequence(3), of: harbour, in: new)
                    }
                }
                let outcome = Result {
                    try FaultPoint.$injection.withValue(sleep) {
                        try store.makeCurrent(sequence(2), of: harbour, in: old)
                    }
                }
                #expect(try store.current(of: harbour) == sequence(3), "\(step)")
                if step == "export.current.compared" || step == "files.link.created" {
                    #expect(throws: ExportSuperseded.self) { try outcome.get() }
                }
            }
        }
    }

    // The kernel decides: both run freely, on threads of their own.
    @Test func `of two that run at once none goes back`() async throws {
        for _ in 0..<200 {
            try await withScratchFolder { root in
                let store = SnapshotStore(ExportFolder(root / "export"))
                try store.prepare()
                let (old, new) = (
                    ExportTerm(try epoch(1), in: store.folder),
                    ExportTerm(try epoch(2), in: store.folder)
                )
                try old.begin()
                let (two, three) = (try sequence(2), try sequence(3))
                async let late: Void? = try? store.makeCurrent(two, of: harbour, in: old)
                try new.begin()
                try store.makeCurrent(three, of: harbour, in: new)
                _ = await late
                #expect(try store.current(of: harbour) == three)
            }
        }
    }
}

private func exchange(_ value: inout Bool, with new: Bool) -> Bool {
    defer { value = new }
    return value
}

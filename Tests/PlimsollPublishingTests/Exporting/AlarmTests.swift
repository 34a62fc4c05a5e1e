import Dispatch
import FoundationEssentials
import Metrics
import PlimsollDomain
import PlimsollPublishing
import PlimsollStore
import PlimsollSystem
import PlimsollTestSupport
import Synchronization
import Testing

/// What an operator is woken by while it is published.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct AlarmTests {
    private let notebook = MetricsNotebook()

    // Goal: a disk that does not answer, as of a server that is away, holds up whoever publishes
    // and not the alarm; who leads goes on to lead, and shows so. Method: the disk's thread waits in
    // the middle of a publication.
    @Test func `a disk that hangs does not hold up the alarm`() async throws {
        let lag = "plimsoll.publication.lag.seconds"
        let gate = DispatchSemaphore(value: 0)
        let hang: FaultPoint.Injection = { name throws(FileError) in
            guard name == "export.snapshot.signed" else { return }
            gate.wait()
            // Whoever comes after it, passes.
            gate.signal()
        }
        try await ExportHouse.with { house in
            try await withMetricsFactory(notebook) {
                try await FaultPoint.$injection.withValue(hang) {
                    try await house.exporting { _ in
                        do {
                            defer { gate.signal() }
                            try await eventually { notebook[lag] ?? 0 > 1 }
                            try await eventually {
                                notebook["plimsoll.exporter.age.seconds"] ?? 0 > 1
                            }
                            #expect(notebook["plimsoll.exporter.epoch"] ?? 0 > 0)
                            #expect(try house.store.current(of: harbour) == nil)
                        }
                        try await house.waitUntilPublished()
                        try await eventually { notebook[lag] == 0 }
                    }
                }
            }
        }
    }

    // Method: a later leader begins in the very moment in which this one is about to switch. What
    // this one does as the leader after that fails, so that it changes nothing either.
    @Test func `a step of a leader that comes late is counted, and changes nothing`() async throws {
        try await ExportHouse.with { house in
            let later = ExportTerm(
                try #require(Epoch(rawValue: 1000)),
                in: house.folder,
                of: UUID()
            )
            let isOvertaken = Atomic(false)
            let overtake: FaultPoint.Injection = { name throws(FileError) in
                guard name == "export.current.compared" else { return }
                guard !isOvertaken.exchange(true, ordering: .relaxed) else {
                    throw FileError(.write, Path(name), code: 5)
                }
                #expect(throws: Never.self) { try later.begin() }
            }
            try await withMetricsFactory(notebook) {
                try await FaultPoint.$injection.withValue(overtake) {
                    try await house.exporting { _ in
                        try await eventually { notebook["plimsoll.exporter.fenced"] ?? 0 > 0 }
                    }
                }
            }
            #expect(try house.store.current(of: harbour) == nil)
            #expect(notebook["plimsoll.snapshots.published"] == nil)
        }
    }
}

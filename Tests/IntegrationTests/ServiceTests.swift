import Foundation
import Testing

/// Everything that starts the whole service, a few tests at a time.
@Suite(MachineShare(), .timeLimit(.minutes(60)))
struct ServiceTests {
    /// Whether limits of time are those of a program that was built to be used.
    static let hasNarrowLimits = ProcessInfo.processInfo.environment["PLIMSOLL_TEST_PROGRAM"] != nil
}

/// Lets four tests at a time start services, and one alone that measures time or crowds the machine.
struct MachineShare: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> MachineShare? {
        testCase == nil ? nil : self
    }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let places = test.traits.contains { $0 is Alone } ? Machine.places : 1
        await Machine.shared.enter(places)
        do {
            try await function()
        } catch {
            await Machine.shared.leave(places)
            throw error
        }
        await Machine.shared.leave(places)
    }
}

/// A test that has the machine for itself.
struct Alone: SuiteTrait, TestTrait {
    var isRecursive: Bool { true }
}

extension Trait where Self == Alone {
    static var alone: Self { Alone() }
}

/// Who may start services, in the order they came. Whoever wants the machine alone comes last: others
/// that come meanwhile go first.
private actor Machine {
    static let shared = Machine()
    static let places = 4

    private var free = Machine.places
    private var waiting: [(places: Int, CheckedContinuation<Void, Never>)] = []

    func enter(_ places: Int) async {
        guard free >= places else {
            return await withCheckedContinuation { waiting.append((places, $0)) }
        }
        free -= places
    }

    func leave(_ places: Int) {
        free += places
        while let next = waiting.firstIndex(where: { $0.places == 1 }) ?? waiting.indices.first,
            free >= waiting[next].places
        {
            free -= waiting[next].places
            waiting.remove(at: next).1.resume()
        }
    }
}

import Foundation
package import PlimsollPostgres
package import Testing

/// Gives each test a database of its own and drops it afterwards, whatever became of the test.
package struct ScratchDatabaseTrait: SuiteTrait, TestTrait, TestScoping {
    let template: ScratchTemplate?

    package var isRecursive: Bool { true }

    // A suite passes the trait on to its tests; it needs no database itself.
    package func scopeProvider(
        for test: Test,
        testCase: Test.Case?
    ) -> ScratchDatabaseTrait? {
        testCase == nil ? nil : self
    }

    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await ScratchDatabaseGate.shared.enter()
        do {
            try await scope(test, function)
        } catch {
            await ScratchDatabaseGate.shared.leave()
            throw error
        }
        await ScratchDatabaseGate.shared.leave()
    }

    private func scope(
        _ test: Test,
        _ function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let name = try await template?.name()
        let database = try await ScratchDatabase.create(for: test.name, template: name)
        do {
            try await ScratchDatabase.$bound.withValue(database) { try await function() }
        } catch {
            try await database.drop()
            throw error
        }
        try await database.drop()
    }
}

extension Trait where Self == ScratchDatabaseTrait {
    /// An empty database for each test.
    package static var scratchDatabase: Self { Self(template: nil) }

    /// A copy, for each test, of a database that is filled once a process.
    package static func scratchDatabase(template: ScratchTemplate) -> Self {
        Self(template: template)
    }
}

/// A database that others are copied from, filled the first time it is needed.
///
/// Keep it in a global `let`, so that all suites share it. It is left behind when the process
/// ends; scratch servers are thrown away.
package actor ScratchTemplate {
    private let title: String
    private let fill: @Sendable (Session) async throws -> Void
    private var isBeingMade = false
    private var made: Result<String, any Error>?
    private var waiters: [CheckedContinuation<Void, Never>] = []

    package init(_ title: String, _ fill: @escaping @Sendable (Session) async throws -> Void) {
        self.title = title
        self.fill = fill
    }

    func name() async throws -> String {
        while isBeingMade {
            await withCheckedContinuation { waiters.append($0) }
        }
        if let made { return try made.get() }
        isBeingMade = true
        do {
            made = .success(try await make())
        } catch {
            made = .failure(error)
        }
        isBeingMade = false
        for waiter in waiters { waiter.resume() }
        waiters = []
        return try await name()
    }

    private func make() async throws -> String {
        let database = try await ScratchDatabase.create(for: "template_\(title)", template: nil)
        let session = try await Session.open(database.connection)
        do {
            try await fill(session)
        } catch {
            await session.close()
            throw error
        }
        // A template can be copied only while nobody is in it.
        await session.close()
        return database.name
    }
}

func testEnvironment(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name]
}

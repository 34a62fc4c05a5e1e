import FoundationEssentials
import Metrics
import PlimsollDomain
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

/// Somebody who writes in the table of names while the service runs.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct NameCheckTests {
    /// Two people whose names the log committed to, and Alice, of whom it says nothing.
    private func withPeople(
        _ body: (IntegrityFixture, _ first: PrincipalID, _ second: PrincipalID) async throws -> Void
    ) async throws {
        try await IntegrityFixture.with { fixture in
            let directory = Directory(fixture.base.pool)
            var people: [PrincipalID] = []
            for text in ["Dorothea", "Mallory"] {
                let (person, name) = (PrincipalID(UUID()), SaltedName.made(of: text))
                try await directory.hold(name, of: person)
                try await fixture.base.perform(
                    AdmitPrincipal(
                        person,
                        grants: [RoleGrant(.approver, in: .all)],
                        name: name.commitment,
                        by: .system
                    )
                )
                people.append(person)
            }
            try await directory.hold(SaltedName("Alice", salt: nil), of: alice)
            try await fixture.base.catchUp()
            try await body(fixture, people[0], people[1])
        }
    }

    @Test func `names that are right are counted, and those that the log says nothing of`()
        async throws
    {
        try await withPeople { fixture, _, _ in
            var check = fixture.check()
            try await check.round()
            let names = try #require(fixture.progress.view.names)
            #expect((names.verified, names.uncommitted) == (2, 1))
            #expect(names.altered == [] && names.missing == [])
            let added = try #require(names.committedSince)
            #expect(added.rawValue > 1)
            #expect(!fixture.lines.text.contains("names"))
        }
    }

    @Test(
        arguments: [
            "UPDATE directory.principal SET name = 'Bob' WHERE name = 'Mallory'",
            "UPDATE directory.principal SET salt = sha256('') WHERE name = 'Mallory'",
            "UPDATE directory.principal SET salt = NULL WHERE name = 'Mallory'",
        ] as [StaticString]
    )
    func `a name that was altered is named within a round, and nothing else ends`(
        _ lie: StaticString
    ) async throws {
        let notebook = MetricsNotebook()
        try await withMetricsFactory(notebook) {
            try await withPeople { fixture, _, second in
                var check = fixture.check()
                try await check.round()
                try await fixture.alter(lie)
                try await check.round()
                #expect(fixture.progress.view.names?.altered == [second])
                #expect(fixture.lines.text.contains("names were altered"))
                #expect(fixture.lines.text.contains(second.text))
                #expect(fixture.base.writer.prohibition == nil)
                #expect(fixture.progress.view.mended == 0)
                // Once is enough, until it is another one.
                let told = fixture.lines.all.count
                try await check.round()
                #expect(fixture.lines.all.count == told)
            }
        }
        #expect(notebook["plimsoll.verifier.names.altered"] == 1)
    }

    @Test func `two names that were swapped, with their salts, are both named`() async throws {
        try await withPeople { fixture, first, second in
            try await fixture.alter(
                """
                UPDATE directory.principal AS one SET name = other.name, salt = other.salt
                FROM directory.principal AS other
                WHERE one.id <> other.id AND one.salt IS NOT NULL AND other.salt IS NOT NULL
                """
            )
            var check = fixture.check()
            try await check.round()
            let people = [first, second].sorted { $0.text < $1.text }
            #expect(fixture.progress.view.names?.altered == people)
        }
    }

    @Test func `a name that is gone is named, unless it was erased`() async throws {
        let notebook = MetricsNotebook()
        try await withMetricsFactory(notebook) {
            try await withPeople { fixture, first, second in
                try await fixture.base.perform(EraseName(of: first, by: .system))
                try await fixture.base.catchUp()
                try await fixture.alter("DELETE FROM directory.principal WHERE salt IS NOT NULL")
                var check = fixture.check()
                try await check.round()
                #expect(fixture.progress.view.names?.missing == [second])
                #expect(fixture.lines.text.contains("names are gone"))
                #expect(!fixture.lines.text.contains(first.text))
            }
        }
        #expect(notebook["plimsoll.verifier.names.missing"] == 1)
    }

    @Test func `a name that is erased during a round is not missed`() async throws {
        try await withPeople { fixture, first, _ in
            let directory = Directory(fixture.base.pool)
            // Whoever erases writes the event first, which this round does not read any more.
            var check = fixture.check { _, _ in try await directory.forget([first]) }
            try await check.round()
            #expect(fixture.progress.view.names?.missing == [])
        }
    }
}

import FoundationEssentials
import PlimsollDocuments
import PlimsollDomain
import PlimsollLog
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

/// What whoever has the content key makes phones and examiners believe.
@Suite(.timeLimit(.minutes(5)))
struct SnapshotLieTests {
    private func withHistory(_ body: (PublicHistory) async throws -> Void) async throws {
        try await withFolder { folder in
            var publication = try Publication(in: folder)
            try publication.tellLog()
            try await body(try PublicHistory(publication))
        }
    }

    @Test func `what is published is proven`() async throws {
        try await withHistory { history in
            let finding = try await history.check(history.files()).run()
            #expect(finding.checkpoint.root.size == history.entries.count)
        }
    }

    @Test func `two documents under one sequence are not both proven`() async throws {
        try await withHistory { history in
            let other = history.check(try history.withOtherDocument())
            await withKnownIssue("nothing binds a snapshot to the log") {
                await #expect(throws: SnapshotDoubt.self) { try await other.run() }
            }
        }
    }

    @Test func `approvers who do not exist are not proven`() async throws {
        try await withHistory { history in
            let digest = try #require(ChangeDigest(hex: String(repeating: "a", count: 64)))
            let invented = try history.forged { manifest in
                manifest.basis = SnapshotBasis(
                    changes: [
                        AppliedChange(
                            id: .first,
                            digest: digest,
                            position: Position(3),
                            approvals: [
                                ChangeApproval(
                                    by: PrincipalID(UUID()),
                                    digest: digest,
                                    position: Position(2)
                                )
                            ]
                        )
                    ],
                    rollbacks: [],
                    access: Revision(7)
                )
            }
            await withKnownIssue("nothing binds a snapshot to the log") {
                await #expect(throws: SnapshotDoubt.self) {
                    try await history.check(invented).run()
                }
            }
        }
    }
}

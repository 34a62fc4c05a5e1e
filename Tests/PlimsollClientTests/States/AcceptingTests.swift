import Foundation
import PlimsollTestSupport
import Testing

@testable import PlimsollClient

/// What a client that has seen a document makes of the next one; every answer is well signed.
@Suite(.timeLimit(.minutes(5))) struct AcceptingTests {
    /// The state after the answer with this body, asked by a client that knows the usual draft.
    private func state(
        after harbour: Harbour,
        _ change: (inout DocumentDraft) -> Void,
        fields: [String: String] = [:]
    ) async throws -> AvailabilityState {
        var draft = DocumentDraft()
        try harbour.documentFolder.keep(harbour.kept(draft))
        change(&draft)
        let answer = try harbour.publisher.answer(draft.body, fields: fields)
        return try await ScriptedServer.with { _ in
            .bytes(answer)
        } _: { _, port in
            let client = try harbour.client(port: port)
            #expect(await client.state().document?.stamp.sequence == 113)
            return await client.refresh()
        }
    }

    @Test func `a higher sequence takes the place of the lower`() async throws {
        try await Harbour.with { harbour in
            let state = try await state(after: harbour) {
                $0.sequence = 114
                $0.members = [:]
            }
            #expect(state.refreshError == nil)
            #expect(state.decision == .open)
            #expect(harbour.files.count == 1)
            #expect(try harbour.documentFolder.newest()?.sequence == 114)
        }
    }

    @Test func `a lower sequence is refused, also by the next start`() async throws {
        try await Harbour.with { harbour in
            for _ in 1...2 {
                let state = try await state(after: harbour) {
                    $0.sequence = 112
                    $0.members = [:]
                }
                #expect(state.refreshError?.code == .lowerSequence)
                #expect(state.document?.stamp.sequence == 113)
                #expect(state.decision.verdict == .appTooOld)
            }
        }
    }

    @Test func `the same sequence with another content is refused`() async throws {
        try await Harbour.with { harbour in
            let state = try await state(after: harbour) { $0.members = [:] }
            #expect(state.refreshError?.code == .contradiction)
            #expect(state.decision.verdict == .appTooOld)
        }
    }

    @Test func `the same bytes signed anew are welcome`() async throws {
        try await Harbour.with { harbour in
            let state = try await state(after: harbour) { _ in }
            #expect(state.refreshError == nil)
            #expect(state.document?.stamp.sequence == 113)
        }
    }

    @Test func `a document of another app or platform is refused`() async throws {
        try await Harbour.with { harbour in
            let marina = try await state(after: harbour) {
                $0.app = "marina"
                $0.sequence = 200
            }
            #expect(marina.refreshError?.code == .anotherApp)
            let macos = try await state(after: harbour) {
                $0.platform = "macos"
                $0.sequence = 200
            }
            #expect(macos.refreshError?.code == .anotherPlatform)
            #expect(macos.document?.stamp.sequence == 113)
        }
    }

    @Test func `a document from the future is refused, one from a fast clock is not`() async throws
    {
        try await Harbour.with { harbour in
            let future = try await state(after: harbour) {
                $0.sequence = 200
                $0.issuedAt = "2026-11-22T12:00:00.001Z"
            }
            #expect(future.refreshError?.code == .fromTheFuture)
            #expect(future.document?.stamp.sequence == 113)
            let fast = try await state(after: harbour) {
                $0.sequence = 200
                $0.issuedAt = "2026-11-22T12:00:00Z"
            }
            #expect(fast.refreshError == nil)
            #expect(fast.document?.stamp.sequence == 200)
        }
    }

    @Test func `what was accepted once is not given up by a clock that is set back`() async throws {
        try await Harbour.with { harbour in
            try harbour.documentFolder.keep(harbour.kept())
            try harbour.clock.set("2001-01-01T00:00:00Z")
            #expect(await (try harbour.client()).state().decision.verdict == .appTooOld)
        }
    }

    @Test func `an expired document counts, and is said to be stale`() async throws {
        try await Harbour.with { harbour in
            let state = try await state(after: harbour) {
                $0.sequence = 114
                $0.expiresAt = "2026-11-21T12:00:00Z"
            }
            #expect(state.refreshError == nil)
            #expect(state.freshness == .stale(since: harbour.clock.now))
            #expect(state.decision.verdict == .appTooOld)
        }
    }

    @Test func `expiry alone stops nobody`() async throws {
        try await Harbour.with(app: "3.2.0") { harbour in
            let state = try await state(after: harbour) {
                $0.sequence = 114
                $0.expiresAt = "2026-11-21T11:00:00Z"
            }
            #expect(state.decision == .open)
            #expect(state.decision.verdict.runs)
        }
    }

    @Test func `forgetting lets a service begin anew`() async throws {
        try await Harbour.with { harbour in
            var draft = DocumentDraft()
            try harbour.documentFolder.keep(harbour.kept(draft))
            draft.sequence = 1
            let answer = try harbour.publisher.answer(draft.body)
            try await ScriptedServer.with { _ in
                .bytes(answer)
            } _: { _, port in
                let client = try harbour.client(port: port)
                #expect(await client.refresh().refreshError?.code == .lowerSequence)
                try await client.forget()
                #expect(harbour.files.isEmpty)
                #expect(await client.state().freshness == .unknown)
                #expect(await client.refresh().document?.stamp.sequence == 1)
            }
        }
    }
}

import Foundation
import PlimsollTestSupport
import Testing

@testable import PlimsollClient

/// A folder that cannot be written, and one that several write at a time.
///
/// Nothing in a process knows of the others that use the folder: what holds for tasks here holds
/// for processes.
@Suite(.timeLimit(.minutes(5))) struct SharedFolderTests {
    private func draft(_ sequence: Int) -> DocumentDraft {
        var draft = DocumentDraft()
        draft.sequence = sequence
        return draft
    }

    @Test func `a document that cannot be kept counts all the same`() async throws {
        try await Harbour.with { harbour in
            // A file stands where the folder should be.
            try Data().write(to: harbour.folder)
            let answer = try harbour.publisher.answer(DocumentDraft().body)
            try await ScriptedServer.with { _ in
                .bytes(answer)
            } _: { _, port in
                let client = try harbour.client(port: port)
                let state = await client.refresh()
                #expect(state.refreshError == nil)
                #expect(state.keepingError?.code == .notKept)
                #expect(state.decision.verdict == .appTooOld)
                try FileManager.default.removeItem(at: harbour.folder)
                #expect(await client.refresh().keepingError == nil)
                #expect(harbour.files.count == 1)
            }
        }
    }

    @Test func `without a folder nothing is kept`() async throws {
        try await Harbour.with { harbour in
            let answer = try harbour.publisher.answer(DocumentDraft().body)
            try await ScriptedServer.with { _ in
                .bytes(answer)
            } _: { _, port in
                let client = try harbour.client(port: port) { $0.folder = nil }
                let state = await client.refresh()
                #expect(state.decision.verdict == .appTooOld)
                #expect(state.keepingError == nil)
                #expect(harbour.files.isEmpty)
                try await client.forget()
            }
        }
    }

    @Test func `who is behind takes what the other has fetched`() async throws {
        try await Harbour.with { harbour in
            let answer = try harbour.publisher.answer(draft(6).body)
            try await ScriptedServer.with { _ in
                .bytes(answer)
            } _: { _, port in
                let slow = try harbour.client(port: port)
                #expect(await slow.refresh().document?.stamp.sequence == 6)
                try harbour.documentFolder.keep(harbour.kept(draft(7)))
                let state = await slow.refresh()
                #expect(state.refreshError?.code == .lowerSequence)
                #expect(state.document?.stamp.sequence == 7)
            }
        }
    }

    // Goal: an app and its extension on one folder never go back, and never mix what two answers
    // said. Method: the service answers with rising and falling sequences in turn, whichever client
    // asks; both are held against the highest so far, and so is a third one that only reads.
    @Test func `two clients on one folder agree on the highest sequence, whoever fetched it`()
        async throws
    {
        try await Harbour.with { harbour in
            let sequences = [3, 9, 4, 12, 12, 2, 15, 14, 20, 1]
            let answers = try sequences.map { try harbour.publisher.answer(draft($0).body) }
            try await ScriptedServer.answering(answers) { _, port in
                let clients = [try harbour.client(port: port), try harbour.client(port: port)]
                var highest = 0
                for (turn, sequence) in sequences.enumerated() {
                    highest = max(highest, sequence)
                    let state = await clients[turn % 2].refresh()
                    let stamp = try #require(state.document?.stamp)
                    #expect(stamp.sequence == Int64(highest))
                    #expect(state.keepingError == nil)
                    let read = await (try harbour.client(port: port)).state().document
                    #expect(read == state.document)
                    #expect(harbour.files.count == 1)
                }
            }
        }
    }

    @Test func `a reader who was overtaken does not take a lower one that lies there still`()
        async throws
    {
        try await Harbour.with { harbour in
            let folder = try harbour.documentFolder
            try folder.keep(harbour.kept(draft(150)))
            let listed = folder.names()
            try folder.keep(harbour.kept(draft(160)))
            // A writer who is late removes none but those below its own.
            try folder.keep(harbour.kept(draft(20)))
            let late = try #require(folder.names().last)
            guard case .overtaken = folder.look(at: listed + [late]) else {
                Issue.record("It has taken what was left of the list.")
                return
            }
            #expect(folder.newest()?.sequence == 160)
        }
    }

    @Test func `a file that another has removed does not stand in the way of forgetting`()
        async throws
    {
        try await Harbour.with { harbour in
            let folder = try harbour.documentFolder
            try folder.keep(harbour.kept(draft(20)))
            let listed = folder.names()
            try folder.keep(harbour.kept(draft(150)))
            try folder.remove(listed + folder.names())
            #expect(harbour.files.isEmpty)
        }
    }

    // Goal: whatever the order of writes, the highest sequence stays, and no reader ever finds
    // less than before. Method: writers with every sequence in disorder, and readers beside them.
    @Test func `many writers and readers see the sequence rise, and the highest stays`()
        async throws
    {
        try await Harbour.with { harbour in
            let folder = try harbour.documentFolder
            let documents = try (1...200).map { try harbour.kept(draft($0)) }
            try folder.keep(documents[0])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        for (place, document) in documents.enumerated().shuffled()
                        where place % 4 == writer { try folder.keep(document) }
                    }
                    group.addTask {
                        var last: Int64 = 0
                        for _ in 1...50 {
                            let found = try #require(folder.newest()?.sequence)
                            #expect(found >= last)
                            last = found
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(folder.newest()?.sequence == 200)
        }
    }
}

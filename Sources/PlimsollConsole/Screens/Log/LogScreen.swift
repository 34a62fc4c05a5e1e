import Foundation
import PlimsollAPI
import PlimsollDomain

/// The transparency log: its newest checkpoint, who has cosigned it, and the proof of an event.
enum LogScreen {
    static let routes: [Route] = [.page("/log", page)]

    static func page(_ visit: Visit) async throws -> Page {
        let keys = try await visit.rest.call(Endpoints.listKeys).keys
        var page = Page(
            "log",
            visit.language["log.title"],
            [
                "verifier": Asset.verifier.path,
                "keys": keys.map { key in
                    [
                        "id": key.id.text, "state": key.state.rawValue,
                        "publicKey": key.publicKey,
                    ]
                },
            ]
        )
        page.fields["record"] = try await visit.record()
        return page
    }
}

extension Visit {
    /// What auditors see; `nil` for everybody else.
    fileprivate func record() async throws -> Fields? {
        do {
            let key = try await text(of: Endpoints.getLogKey, NoNames())
            let note = try await text(of: Endpoints.getLogCheckpoint, NoNames())
            let event = query["event"].flatMap(Position.init(typed:))
            var proof: String?
            if let event { proof = try await text(of: Endpoints.getEventProof, event) }
            return Fields(all: [
                "logKey": key?.trimmingCharacters(in: .whitespacesAndNewlines), "note": note,
                "checkpoint": note.flatMap(CheckpointNote.init).map { fields(of: $0) },
                "event": query["event"], "proof": proof,
                "isUnproven": query["event"] != nil && proof == nil,
            ])
        } catch let error as AdminError where error.problem?.code == .forbidden {
            return nil
        }
    }

    /// A file of the log; `nil` where there is none yet.
    fileprivate func text<Names: PathNames>(
        of endpoint: Read<Names, Bytes>,
        _ names: Names
    ) async throws -> String? {
        do throws(AdminError) {
            return try await rest.text(of: endpoint, names)
        } catch {
            guard error.problem?.code == .notFound else { throw error }
            return nil
        }
    }

    fileprivate func fields(of checkpoint: CheckpointNote) -> Fields {
        let left = position.rawValue - checkpoint.size
        return Fields(all: [
            "origin": checkpoint.origin, "size": checkpoint.size, "root": checkpoint.root,
            "left": left > 0 ? left : nil,
            "signers": checkpoint.lines.map { line in
                Fields(all: [
                    "name": line.name, "isLog": line.name == checkpoint.origin,
                    "at": time(line.cosignedAt),
                ])
            },
        ])
    }
}

import PlimsollAPI
import PlimsollJSON
import Testing

extension RunningServer {
    /// Fails the test unless what phones read, what REST answers and the log say the same.
    func expectAgreement(with events: [JSONValue]) async throws {
        let token = try fixture.adminToken()
        let served = try await published()
        try await expectSigned(served)
        let head = events.last?["position"]?.integer ?? 0
        let document = try await send(
            .get,
            "/v1/apps/harbour/documents/ios?event=\(head)",
            as: token
        )
        for (language, words) in lastTexts(events) {
            #expect(served.text(language) == words)
            let read = document.json["document"]?["minimumAppVersion"]?["description"]
            #expect(read?[language]?.string == words)
        }
        let snapshots = try await list("/v1/snapshots?app=harbour&limit=1", as: token)
        let newest = snapshots.json["snapshots"]?.array?.first?["sequence"]?.integer
        #expect(newest == served.sequence)
        let applied = events.count { $0["type"]?.string == "ChangeApplied" }
        #expect(try await changes("applied").count == applied)
    }

    /// The sample app's changes in a state, as the read models have them.
    func changes(_ state: String) async throws -> [JSONValue] {
        let token = try fixture.adminToken()
        var changes: [JSONValue] = []
        var cursor: String?
        repeat {
            let path = "/v1/apps/harbour/changes?state=\(state)&limit=500"
            let page = try await list(path + (cursor.map { "&cursor=\($0)" } ?? ""), as: token)
            changes += page.json["changes"]?.array ?? []
            cursor = page.json["next"]?.string
        } while cursor != nil
        return changes
    }

    /// What the record says a phone on iOS reads in each language.
    ///
    /// A text that was removed is there as none.
    private func lastTexts(_ events: [JSONValue]) -> [String: String?] {
        var texts: [String: String?] = [:]
        for event in events {
            let (type, data) = (event["type"]?.string, event["data"])
            guard
                type == "TextSet" || type == "TextRemoved",
                data?["platform"]?.string == "ios",
                data?["threshold"]?.string == "minimumApp",
                data?["part"]?.string == "description",
                let language = data?["language"]?.string
            else { continue }
            texts.updateValue(data?["text"]?.string, forKey: language)
        }
        return texts
    }
}

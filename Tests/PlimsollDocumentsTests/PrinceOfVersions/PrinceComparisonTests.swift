import PlimsollDocuments
import PlimsollDomain
import Testing

/// What changes for which generation of clients when a document is taken over.
@Suite struct PrinceComparisonTests {
    private func comparison(
        _ document: String,
        for clients: PrinceClients = .modern
    ) throws -> PrinceComparison {
        let bytes = Array(document.utf8)
        var source = PrinceExport.Source(try PrinceImport(parsing: bytes).documents)
        source.clients = clients
        return PrinceComparison(bytes, PrinceExport(source).document)
    }

    // Goal: the document that the format's own page shows reaches every client as it is. It has one
    // entry for some devices, so that to the others the error becomes an answer.
    @Test func `the example of the format's own page changes errors alone`() throws {
        let comparison = try comparison(
            """
            {"ios": [{"required_version": "1.2.3", "last_version_available": "1.9.0",
            "notify_last_version_frequency": "ALWAYS",
            "requirements": {"required_os_version": "8.0.0", "region": "hr", "bluetooth": "5.0"},
            "meta": {"key1": "value1", "key2": 2}}],
            "macos": [{"required_version": "10.10.0", "last_version_available": "11.0",
            "notify_last_version_frequency": "ALWAYS",
            "requirements": {"required_os_version": "10.12.1", "region": "hr",
            "bluetooth": "5.0"}}],
            "meta": {"key3": true, "key4": "value2"}}
            """
        )
        #expect(comparison.deviceCount > 200)
        let modern = comparison.differences.filter {
            // 4.0.1 asks whether there is an entry before it knows the app's own checkers.
            ![.ios300, .macos300, .ios401, .macos401].contains($0.client)
        }
        #expect(!modern.isEmpty)
        for difference in modern {
            #expect(difference.before.lowercased().contains("requirementsnotsatisfied"))
            #expect(difference.after == "NO_UPDATE_AVAILABLE")
        }
    }

    @Test func `a document for everybody changes nothing for anybody`() throws {
        let comparison = try comparison(
            """
            {"ios": [{"required_version": "3.0.0", "requirements": {"required_os_version": "15.0.0"},
            "meta": {"hard": true}}, {"last_version_available": "2.0.0"}],
            "android": [{"required_version": 300, "last_version_available": 310,
            "notify_last_version_frequency": "ALWAYS", "meta": {"rollout": {"percent": [1]}}}]}
            """
        )
        #expect(comparison.differences == [])
        #expect(comparison.deviceCount > 100)
    }

    @Test func `clients before 4·0 that lose their object are named`() throws {
        let comparison = try comparison(
            """
            {"ios": {"minimum_version": "1.2.3", "latest_version": {"version": "2.4.5"}},
            "ios2": [{"required_version": "1.2.3", "last_version_available": "1.9.0"}]}
            """
        )
        let clients = Set(comparison.differences.map(\.client))
        #expect(clients == [.ios300])
        #expect(comparison.differences.allSatisfy { $0.after == "invalidJsonData" })
    }
}

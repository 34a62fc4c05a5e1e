import PlimsollDocuments
import PlimsollDomain
import Testing

/// What changes for which generation of clients when a document is taken over.
@Suite struct PrinceOfVersionsComparisonTests {
    private func comparison(
        _ document: String,
        for clients: PrinceOfVersionsClients = .modern
    ) throws -> PrinceOfVersionsComparison {
        let bytes = Array(document.utf8)
        var source = PrinceOfVersionsExport.Source(
            try PrinceOfVersionsImport(parsing: bytes).documents
        )
        source.clients = clients
        return PrinceOfVersionsComparison(bytes, PrinceOfVersionsExport(source).document)
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

    // Goal: devices that meet a requirement count as such, however its name is written. Method: the
    // same document under two names, one ending in an underscore, which Apple's clients keep.
    @Test func `a requirement whose name ends in an underscore is asked for by its name`() throws {
        let document = { (name: String) in
            """
            {"ios": [{"required_version": "2.0.0", "requirements": {"\(name)": "4"}}]}
            """
        }
        let comparison = try comparison(document("min_ram_"))
        #expect(!comparison.differences.isEmpty)
        #expect(try comparison == self.comparison(document("min_ram")))
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

    // Goal: who shuts everybody out writes the highest version code, which has none above it.
    @Test(arguments: [1, 2_147_483_647])
    func `the lowest and the highest version code have one neighbour each`(code: Int) throws {
        let apps = try comparison(#"{"android": [{"required_version": \#(code)}]}"#)
        #expect(apps.differences == [])
        #expect(apps.deviceCount > 1)
        let systems = try comparison(
            """
            {"android": [{"required_version": 3, "requirements": {"required_os_version": \(code)}}]}
            """
        )
        #expect(systems.deviceCount > 1)
    }

    @Test func `clients before 4·0 that lose their object are named`() throws {
        let comparison = try comparison(
            """
            {"ios": {"minimum_version": "1.2.3", "latest_version": {"version": "x-2.4.5"}},
            "ios2": [{"required_version": "1.2.3", "last_version_available": "1.9.0"}],
            "android": {"minimum_version": "1.2.3-rc"}, "android2": [{"required_version": 3}]}
            """
        )
        let clients = Set(comparison.differences.map(\.client))
        #expect(clients == [.android300])
        #expect(comparison.differences.allSatisfy { $0.after == "JSONException" })
    }

    // Goal: what an app of before 4.0 is told is not touched by taking its document over, whichever
    // clients the app tells, and whatever the arrays beside it say.
    @Test(
        arguments: [
            """
            {"ios": {"minimum_version": "1.2.3", "minimum_version_min_sdk": "8.0.0",
            "latest_version": {"version": "2.4.5", "notification_type": "ALWAYS", "min_sdk": "12.1.2"}},
            "ios2": [{"required_version": "1.2.3", "last_version_available": "1.9.0"}],
            "meta": {"key3": true, "key4": "value2"}}
            """,
            #"{"macos": {"latest_version": {"version": "2.4"}}, "macos2": {"required_version": "1"}}"#,
            """
            {"android": {"minimum_version": "1.2.3", "minimum_version_min_sdk": 15,
            "latest_version": {"version": "2.4.5", "notification_type": "always", "min_sdk": 18}},
            "android2": [{"required_version": 10, "last_version_available": 11}]}
            """,
            #"{"ios": {"minimum_version": "3-4", "latest_version": {"version": "3"}}}"#,
        ],
        [PrinceOfVersionsClients.modern, .all]
    )
    func `an object for clients before 4·0 tells them what it told`(
        document: String,
        clients: PrinceOfVersionsClients
    ) throws {
        let comparison = try comparison(document, for: clients)
        let old: Set<PrinceOfVersionsClient> = [.ios300, .macos300, .android300]
        #expect(comparison.differences.filter { old.contains($0.client) } == [])
        #expect(comparison.deviceCount > 20)
    }

    @Test func `a document with nothing but an old part for Android is taken over`() throws {
        let document = """
            {"android": {"minimum_version": "1.2.3", "latest_version": {"version": "2.0.0"}}}
            """
        let imported = try PrinceOfVersionsImport(parsing: Array(document.utf8))
        #expect(imported.documents.map(\.platform) == [.android])
        #expect(imported.documents.first?.offers == [])
        #expect(
            imported.documents.first?.legacy?.sentence == "minimum 1.2.3, latest 2.0.0, told once"
        )
        #expect(imported.losses.count == 1)
        let comparison = try comparison(document)
        // What compares version codes found an error there, and finds that nothing is offered.
        #expect(Set(comparison.differences.map(\.client)) == [.android404, .kotlinAndroid])
        #expect(comparison.differences.allSatisfy { $0.after == "NO_UPDATE_AVAILABLE" })
    }

    // The JVM's library is younger than the format of 4.0, and reads one name alone.
    @Test func `what stands under a name that no client reads is not taken over`() throws {
        let other = #""jvm2": [{"required_version": "9"}]"#
        let document = #"{"jvm": [{"required_version": "3"}], \#(other)}"#
        #expect(try comparison(document).differences == [])
        #expect(Check.java.verdict(.jvm, "{\(other)}") == "IllegalStateException")
        #expect(throws: (any Error).self) { try comparison("{\(other)}") }
    }

    @Test func `what the JVM's one client reads is taken over as it reads it`() throws {
        let comparison = try comparison(
            """
            {"jvm": [{"last_version_available": "3", "notify_last_version_frequency": "weekly",
            "requirements": {"required_jvm_version": "17"}}, {"last_version_available": "2"}]}
            """
        )
        #expect(comparison.differences == [])
        #expect(comparison.deviceCount > 10)
    }

    // The five examples of the page that defines the format, in other numbers: two entries with what
    // only the app can check, arrays beside objects, two entries without requirements, and three
    // whose requirements grow or shrink. Some have a comma too many.
    @Test(arguments: zip(SeedExamples.all, [2, 2, 1, 1, 1]))
    func `every example of the format's own page is taken over`(
        document: String,
        platforms: Int
    ) throws {
        let bytes = Array(document.utf8)
        let imported = try PrinceOfVersionsImport(parsing: bytes)
        #expect(imported.documents.count == platforms)
        for clients in [PrinceOfVersionsClients.modern, .all] {
            let comparison = try comparison(document, for: clients)
            for difference in comparison.differences {
                // Where nothing fits, an error becomes the answer that nothing is offered; 4.0.1
                // found nothing that fits before it knew the app's own checkers; and a client before
                // 4.0 that had no object of its own is told something by an app that tells them.
                let isError = ["requirementsnotsatisfied", "invalidjsondata"].contains {
                    difference.before.lowercased().contains($0)
                }
                #expect(isError, "\(difference)")
            }
        }
    }
}

private enum SeedExamples {
    static let all = [
        """
        {"ios": [{"required_version": "2.2.0", "last_version_available": "2.9.0",
        "notify_last_version_frequency": "ALWAYS", "requirements": {"required_os_version": "9.0.0",
        "region": "at", "bluetooth": "5.0"}, "meta": {"a": "b", "n": 2}}],
        "macos": [{"required_version": "10.1.0", "last_version_available": "12.0",
        "notify_last_version_frequency": "ALWAYS",
        "requirements": {"required_os_version": "10.13.1", "region": "at", "bluetooth": "5.0"}},],
        "meta": {"flag": true, "word": "c"}}
        """,
        """
        {"ios": {"minimum_version": "2.2.0", "minimum_version_min_sdk": "9.0.0", "latest_version":
        {"version": "2.9.5", "notification_type": "ALWAYS", "min_sdk": "12.2.0"}},
        "ios2": [{"required_version": "2.2.0", "last_version_available": "2.9.0",
        "notify_last_version_frequency": "ALWAYS", "requirements": {"required_os_version": "9.0.0",
        "region": "at", "bluetooth": "5.0"}, "meta": {"a": "b", "n": 2}}],
        "macos": {"minimum_version": "2.2.0", "minimum_version_min_sdk": "10.9.0", "latest_version":
        {"version": "2.9.5", "notification_type": "ALWAYS", "min_sdk": "10.11.0"}},
        "macos2": [{"required_version": "10.1.0", "last_version_available": "12.0",
        "notify_last_version_frequency": "ALWAYS",
        "requirements": {"required_os_version": "10.13.1"}}],
        "meta": {"flag": true, "word": "c"}}
        """,
        """
        {"ios": [{"required_version": "2.2.4", "last_version_available": "2.8.0",
        "notify_last_version_frequency": "ALWAYS"}, {"required_version": "2.2.3",
        "last_version_available": "2.8.0", "notify_last_version_frequency": "ONCE"}]}
        """,
        """
        {"macos": [{"required_version": "10.1.0", "last_version_available": "12.0",
        "notify_last_version_frequency": "ALWAYS",
        "requirements": {"required_os_version": "10.12.1"}},
        {"required_version": "9.1", "last_version_available": "12.0",
        "notify_last_version_frequency": "ALWAYS",
        "requirements": {"required_os_version": "10.11.1", "region": "at",}},
        {"required_version": "9.0", "last_version_available": "12.0",
        "notify_last_version_frequency": "ONCE",
        "requirements": {"required_os_version": "10.14.2", "region": "us", "bluetooth": "5.0"}},]}
        """,
        """
        {"macos": [{"required_version": "9.0", "last_version_available": "12.0",
        "notify_last_version_frequency": "ONCE",
        "requirements": {"required_os_version": "10.14.2", "region": "us", "bluetooth": "5.0"}},
        {"required_version": "9.1", "last_version_available": "12.0",
        "notify_last_version_frequency": "ALWAYS",
        "requirements": {"required_os_version": "10.11.1", "region": "at"}},
        {"required_version": "10.1.0", "last_version_available": "12.0",
        "notify_last_version_frequency": "ALWAYS",
        "requirements": {"required_os_version": "10.12.1"}}]}
        """,
    ]
}

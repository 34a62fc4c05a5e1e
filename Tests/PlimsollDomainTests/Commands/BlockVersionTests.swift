import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@Suite struct BlockVersionTests {
    private func block(
        below version: VersionValue = dotted("3.2.0"),
        on platform: Platform = .ios,
        saying texts: TextsByLanguage = [:],
        by responder: PrincipalID = rita
    ) throws -> BlockVersion {
        BlockVersion(
            app: harbour,
            platform: platform,
            below: version,
            texts: texts,
            title: try Title(validating: "Block versions below \(version)"),
            incident: nil,
            owner: nil,
            reason: try Reason(validating: "3.1 loses bookings"),
            by: responder,
            hash: testHash
        )
    }

    /// Harbour in three languages, with texts for the minimum in one of them.
    private func harbourInThreeLanguages() throws -> Given {
        let languages = try settings([.ios, .jvm], ["en", "de", "cy"])
        let stream = StreamName.app(harbour)
        func text(_ name: ThresholdName, _ language: String, _ words: String) throws -> Event {
            .app(.textSet(.ios, name, .description, tag(language), try Text(validating: words)))
        }
        return Given()
            .when(
                .system,
                (stream, .app(.appRegistered(languages))),
                (.access, .access(.principalAdded(rita))),
                (.access, .access(.roleGranted(rita, RoleGrant(.responder, in: .all))))
            )
            .when(
                .system,
                (stream, .app(.thresholdSet(.ios, .minimumApp, dotted("3.0.0")))),
                (stream, try text(.minimumApp, "en", "Update.")),
                (stream, try text(.recommendedApp, "de", "Neu."))
            )
    }

    @Test func `texts that are there stay, and missing ones are taken from the others`() throws {
        let after = try harbourInThreeLanguages().when(try block()).logState
        let minimum = try #require(after.app(harbour)).document(.ios)[.minimumApp]
        #expect(minimum.value == dotted("3.2.0"))
        #expect(
            minimum.descriptions.mapValues(\.text) == [
                tag("en"): "Update.", tag("de"): "Neu.", tag("cy"): "Update.",
            ]
        )
        #expect(after.openReviews.map(\.order.owner) == [rita])
        #expect(after.scheduledChanges(of: harbour).isEmpty)
    }

    // Goal: nobody reads what was true of another incident. Method: a block brings texts, for some
    // languages or for all; the check says which languages still say something else.
    @Test func `texts that a block brings are read, and those left are named`() throws {
        let given = try harbourInThreeLanguages()
        let coming = try text("An update is on its way.")
        let some = given.when(try block(saying: [.description: [tag("de"): coming]])).logState
        let minimum = try #require(some.app(harbour)).document(.ios)[.minimumApp]
        #expect(
            minimum.descriptions.mapValues(\.text) == [
                tag("en"): "Update.", tag("de"): coming.text, tag("cy"): "Update.",
            ]
        )
        let everywhere = ["en", "de", "cy"].map { (tag($0), coming) }
        let all = try block(
            saying: [
                .title: [tag("en"): try text("Sorry")],
                .description: Dictionary(uniqueKeysWithValues: everywhere),
            ]
        )
        let rewritten = given.when(all)
        let after = try #require(rewritten.logState.app(harbour)).document(.ios)[.minimumApp]
        #expect(Set(after.descriptions.values) == [coming])
        #expect(after.titles == [tag("en"): try text("Sorry")])
        rewritten.when(all, refusedBy: .nothingChanges)
        // Another text where the line stands is something to do.
        let again = try block(saying: [.description: [tag("en"): try text("It is there.")]])
        let said = rewritten.when(again).logState.app(harbour)?.document(.ios)[.minimumApp]
        #expect(said?.descriptions[tag("en")]?.text == "It is there.")
    }

    @Test func `offers of its own are raised with it, also where the line stands`() throws {
        let old = Offer(required: try apple("2.0.0"))
        let offered = try harbourInThreeLanguages().when(
            .system,
            (.app(harbour), .app(.offersReplaced(.ios, [old])))
        )
        for version in [dotted("3.2.0"), dotted("3.0.0")] {
            let after = offered.when(try block(below: version))
            let document = try #require(after.logState.app(harbour)).document(.ios)
            #expect(document[.minimumApp].value == version)
            #expect(document.offers == [Offer(required: OfferVersion(version))])
            after.when(try block(below: version), refusedBy: .nothingChanges)
        }
    }

    // Clients before 4.0 read an object that was taken over word for word: a block reaches them too.
    @Test func `an object for clients before 4·0 is raised with it`() throws {
        let old = try #require(
            LegacyOffer(
                [
                    "minimum_version": "2", "minimum_version_min_sdk": "15",
                    "latest_version": ["version": "3.1"],
                ],
                on: .ios
            )
        )
        let kept = try harbourInThreeLanguages().when(
            .system,
            (.app(harbour), .app(.legacyOfferReplaced(.ios, old)))
        )
        let after = kept.when(try block(below: dotted("3.2.0")))
        let raised = try #require(after.logState.app(harbour)).document(.ios).legacy
        #expect(raised?.sentence == "minimum 3.2.0, latest 3.2.0, told always")
        after.when(try block(below: dotted("3.2.0")), refusedBy: .nothingChanges)
    }

    // Goal: a minimum that is high enough is told of, always, and by a version that is new to them.
    @Test(
        arguments: [
            ("3.0.0", ["version": "3.0.0"], "minimum 3.0.0, latest 3.0.0, told always"),
            (
                "3.1.0", ["version": "2.0.0", "notification_type": "ALWAYS"],
                "minimum 3.1.0, latest 3.1.0, told always"
            ),
            (
                "3.0.0", ["version": "4.0.0", "min_sdk": "15", "notification_type": "ALWAYS"],
                "minimum 3.0.0, latest 3.0.0, told always"
            ), ("3.1.0", ["version": "4.0.0", "notification_type": "ALWAYS"], nil),
        ] as [(String, JSONObject, String?)]
    )
    func `an object whose minimum says nothing by itself is raised`(
        minimum: String,
        latest: JSONObject,
        raised: String?
    ) throws {
        let old = try #require(
            LegacyOffer(
                ["minimum_version": .string(minimum), "latest_version": .object(latest)],
                on: .ios
            )
        )
        let kept = try harbourInThreeLanguages().when(
            .system,
            (.app(harbour), .app(.legacyOfferReplaced(.ios, old)))
        )
        let again = try block(below: dotted("3.0.0"))
        guard let raised else { return kept.when(again, refusedBy: .nothingChanges) }
        let after = kept.when(again)
        let legacy = try #require(after.logState.app(harbour)).document(.ios).legacy
        #expect(legacy?.sentence == raised)
        after.when(again, refusedBy: .nothingChanges)
    }

    @Test func `a list of offers that is full is raised all the same`() throws {
        let full = try (1...Offer.countMaximum).map { system in
            let requirements = OfferRequirements(system: try apple("\(system).0.0"))
            return Offer(required: try apple("2.0.0"), requirements: requirements)
        }.reversed()
        let offered = try harbourInThreeLanguages().when(
            .system,
            (.app(harbour), .app(.offersReplaced(.ios, Array(full))))
        )
        let blocked = offered.when(try block(below: dotted("3.2.0")))
        let offers = try #require(blocked.logState.app(harbour)).document(.ios).offers
        #expect(offers.count == Offer.countMaximum + 1)
        #expect(offers.allSatisfy { $0.required == OfferVersion(dotted("3.2.0")) })
    }

    @Test func `an app without any text is blocked all the same, and what is missing is known`()
        throws
    {
        let after = try Given.harbourApp().when(try block()).logState
        let app = try #require(after.app(harbour))
        let edit = Operation(.ios, .minimumApp, .setValue(dotted("3.2.0")))
        #expect(app.document(.ios)[.minimumApp].value == dotted("3.2.0"))
        #expect(
            app.fieldsMissing(applying: [edit]).map(\.path) == ["ios.minimumApp.description.en"]
        )
    }

    // Goal: nobody is told that a version is blocked which is approved to run again later.
    @Test func `a block does not rest on a minimum that an approved change lowers at its time`()
        throws
    {
        let given = try Given.settled().raised(1, to: "3.2.0")
        let lower = Operation(.ios, .minimumApp, .setValue(dotted("3.0.0")))
        let proposed = given.when(try given.proposal([lower], at: noon))
        proposed.when(try block(), refusedBy: .nothingChanges)
        let approved = proposed.when(proposed.approve(change(2)))
        let objection = Objection.minimumFalls(change(2), below: dotted("3.2.0"), noon)
        approved.when(try block(), refusedBy: objection)
        // Nor on one that is higher until then.
        let less = Objection.minimumFalls(change(2), below: dotted("3.1.0"), noon)
        approved.when(try block(below: dotted("3.1.0")), refusedBy: less)
        let minimum = Field(.ios, .minimumApp, .value)
        approved.when(
            try block(below: dotted("3.0.0")),
            refusedBy: .wouldLower(minimum, dotted("3.2.0"), dotted("3.0.0"))
        )
        // A higher one writes what the change would write.
        let higher = approved.when(try block(below: dotted("3.3.0"))).at(noon)
        let due = ApplyDueChange(change: change(2), hash: testHash)
        higher.when(due, then: [.change(.changeSuspended(.conflict))])
    }

    @Test func `a freeze does not stand in the way`() throws {
        let reason = try Reason(validating: "Christmas")
        let frozen = try Given.harbourApp()
            .when(StartFreeze(of: .app(harbour), reason: reason, by: rita))
        let after = frozen.when(try block()).logState
        #expect(after.app(harbour)?.document(.ios)[.minimumApp].value == dotted("3.2.0"))
    }

    @Test func `it never lowers a minimum, and does nothing twice`() throws {
        let blocked = try Given.harbourApp().when(try block())
        let field = Field(.ios, .minimumApp, .value)
        blocked.when(
            try block(below: dotted("3.1.9")),
            refusedBy: .wouldLower(field, dotted("3.2.0"), dotted("3.1.9"))
        )
        blocked.when(try block(below: dotted("3.2")), refusedBy: .nothingChanges)
        #expect(
            blocked.when(try block(below: dotted("3.10"))).logState.app(harbour)?
                .document(.ios)[.minimumApp].value == dotted("3.10")
        )
    }

    @Test func `what cannot be blocked is refused where it is named`() throws {
        let given = try harbourInThreeLanguages()
        given.when(
            try block(below: code(7), on: .android),
            refusedBy: .platformUnknown(harbour, .android, at: "/platform")
        )
        given.when(
            try block(on: .jvm),
            refusedBy: .thresholdUnknown(.jvm, .minimumApp, at: "/platform")
        )
        given.when(
            try block(below: code(7)),
            refusedBy: .valueOfWrongKind(.dotted, at: "/below")
        )
        given.when(try block(below: dotted("0.0")), refusedBy: .blocksNobody(dotted("0.0")))
        try Given.harbourApp().when(
            try block(below: code(1), on: .android),
            refusedBy: .blocksNobody(code(1))
        )
    }

    @Test func `whoever may only propose is told to propose`() throws {
        let given = try Given.harbourApp()
        given.when(try block(by: alice), refusedBy: .proposeInstead(harbour))
        for person in [bob, root] {
            given.when(
                try block(by: person),
                refusedBy: .roleMissing(.responder, .app(harbour))
            )
        }
    }
}

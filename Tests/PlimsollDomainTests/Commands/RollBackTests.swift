import PlimsollDomain
import PlimsollTestSupport
import Testing

@Suite struct RollBackTests {
    /// Harbour with a minimum of 3.2.0, and the state it had before.
    private func raised() throws -> (Given, PastState) {
        var given = try Given.harbourApp()
        given = given.when(try raise(to: "3.0.0", base: given.logState.position))
        given = given.when(given.approve(change(1)))
        let past = given.present
        given = given.when(try raise(to: "3.2.0", base: given.logState.position))
        return (given.when(given.approve(change(2))), past)
    }

    @Test func `a responder alone brings an earlier state back`() throws {
        let (given, past) = try raised()
        given.when(
            try rollBack(to: past),
            then: [
                .app(
                    .rolledBack(
                        RollbackRecord(
                            target: past.position,
                            request: .event(past.position),
                            platforms: [.android, .ios]
                        )
                    )
                ),
                .app(.thresholdSet(.ios, .minimumApp, dotted("3.0.0"))),
                .app(
                    .textSet(
                        .ios,
                        .minimumApp,
                        .description,
                        tag("en"),
                        try text("Update to 3.0.0.")
                    )
                ),
            ]
        )
        let after = given.when(try rollBack(to: past))
        #expect(after.logState.app(harbour)?.document(.ios) == past.document(.ios))
    }

    @Test func `a value alone brings the texts along that would be missing`() throws {
        let (given, past) = try raised()
        let value = Field(.ios, .minimumApp, .value)
        let kept = given.when(try rollBack(to: past, fields: [value]))
        let threshold = kept.logState.app(harbour)?.document(.ios)[.minimumApp]
        #expect(threshold?.value == dotted("3.0.0"))
        #expect(threshold?.descriptions == [tag("en"): try text("Update to 3.2.0.")])
        let cleared = given.when(
            try given.proposal([Operation(.ios, .minimumApp, .clearThreshold)])
        )
        let empty = cleared.when(cleared.approve(change(3)))
        let back = empty.when(try rollBack(to: past, fields: [value]))
        #expect(back.logState.app(harbour)?.document(.ios) == past.document(.ios))
    }

    @Test func `texts beside a value that goes away stay who wrote them`() throws {
        let given = try Given.harbourApp()
        let words = Operation(.ios, .minimumApp, .setText(.title, tag("en"), try text("Mind")))
        let proposed = given.when(try propose([words], base: given.logState.position))
        let written = proposed.when(proposed.approve(change(1)))
        let past = written.present
        let raised = written.when(try raise(to: "3.2.0", base: written.logState.position))
        let applied = raised.when(raised.approve(change(2)))
        let value = Field(.ios, .minimumApp, .value)
        applied.when(
            try rollBack(to: past, fields: [value]),
            then: [
                .app(
                    .rolledBack(
                        RollbackRecord(
                            target: past.position,
                            request: .event(past.position),
                            platforms: [.ios],
                            fields: [value]
                        )
                    )
                ),
                .app(.valueCleared(.ios, .minimumApp)),
            ]
        )
    }

    @Test func `rolling a rollback back is the same thing again`() throws {
        let (given, past) = try raised()
        let back = given.when(try rollBack(to: past)).when(try rollBack(to: given.present))
        #expect(back.logState.app(harbour)?.documents == given.logState.app(harbour)?.documents)
    }

    // The command was made before somebody wrote another text, and is decided after that.
    @Test func `a threshold goes back with what was written of it last`() throws {
        let (given, past) = try raised()
        let place = ThresholdPlace(platform: .ios, name: .minimumApp)
        let command = try rollBack(to: past, thresholds: [place])
        let welsh = Field(.ios, .minimumApp, .text(.description, tag("cy")))
        let written = given.when(
            .system,
            (
                .app(harbour),
                .app(.textSet(.ios, .minimumApp, .description, tag("cy"), try text("Diweddarwch")))
            )
        )
        let back = written.when(command)
        #expect(back.logState.app(harbour)?.document(.ios) == past.document(.ios))
        #expect(back.events.rollback?.fields?.contains(welsh) == true)
    }

    @Test func `a rollback that would lead elsewhere than was seen is refused`() throws {
        let (given, past) = try raised()
        for seen in [past.position.advanced(by: -1), past.position.advanced(by: 1)] {
            let command = RollBack(
                app: harbour,
                request: .event(past.position),
                past: past,
                seen: seen,
                reason: nil,
                by: rita
            )
            given.when(command, refusedBy: .targetDiffers(seen: seen, now: past.position))
        }
    }

    @Test func `platforms are not named beside fields`() throws {
        let (given, past) = try raised()
        let value = Field(.ios, .minimumApp, .value)
        given.when(
            try rollBack(to: past, platforms: [.ios], fields: [value]),
            refusedBy: .platformsAndFields
        )
    }

    @Test func `thresholds are refused where they were named`() throws {
        let (given, past) = try raised()
        let place = ThresholdPlace(platform: .ios, name: .minimumApp)
        let strange = ThresholdPlace(platform: .macos, name: .minimumApp)
        given.when(
            try rollBack(to: past, thresholds: []),
            refusedBy: .listEmpty(at: "/thresholds")
        )
        given.when(
            try rollBack(to: past, thresholds: [place, strange, place]),
            refusedBy: .platformUnknown(harbour, .macos, at: "/thresholds/1"),
            .repeated("ios.minimumApp", at: "/thresholds/2")
        )
        let languages = (0..<RollBack.fieldsMaximum).compactMap { number in
            LanguageTag("en-x-\(number)")
        }
        try #require(languages.count == RollBack.fieldsMaximum)
        var wordy = given
        for language in languages {
            let event = AppEvent.textSet(.ios, .minimumApp, .title, language, try text("T"))
            wordy = wordy.when(.system, (.app(harbour), .app(event)))
        }
        wordy.when(
            try rollBack(to: past, thresholds: [place]),
            refusedBy: .listTooLong(maximum: RollBack.fieldsMaximum, at: "/thresholds")
        )
    }

    @Test func `thresholds that a platform cannot have are refused where they were named`() throws {
        let (given, past) = try raised()
        let place = ThresholdPlace(platform: .ios, name: .minimumApp)
        let strange = ThresholdPlace(platform: .android, name: .recommendedOS)
        given.when(
            try rollBack(to: past, thresholds: [place, strange]),
            refusedBy: .thresholdUnknown(.android, .recommendedOS, at: "/thresholds/1")
        )
        given.when(
            try rollBack(to: past, fields: [Field(.android, .recommendedOS, .value)]),
            refusedBy: .thresholdUnknown(.android, .recommendedOS, at: "/fields/0")
        )
    }

    @Test func `a rollback leaves no document empty that had something in it`() throws {
        let given = try Given.harbourApp()
        let nothing = given.present
        let raised = try given.raised(1, to: "3.0.0")
        let fields = try #require(raised.logState.app(harbour)).document(.ios).fields
        for whole in [
            try rollBack(to: nothing), try rollBack(to: nothing, platforms: [.ios]),
            try rollBack(to: nothing, fields: fields),
        ] {
            raised.when(whole, refusedBy: .documentEmptied(.ios))
        }
        let value = Field(.ios, .minimumApp, .value)
        raised.when(
            try rollBack(to: nothing, fields: [value]),
            then: [
                .app(
                    .rolledBack(
                        RollbackRecord(
                            target: nothing.position,
                            request: .event(nothing.position),
                            platforms: [.ios],
                            fields: [value]
                        )
                    )
                ),
                .app(.valueCleared(.ios, .minimumApp)),
            ]
        )
    }

    @Test func `a platform that was added later stays as it is where all go back`() throws {
        let first = try Given.harbourApp().raised(1, to: "3.0.0")
        let past = first.present
        let second = try first.raised(2, to: "3.2.0")
        let later = second.when(
            .system,
            (.app(harbour), .app(.thresholdSet(.android, .minimumApp, code(320))))
        )
        let kept = try #require(later.logState.app(harbour)).document(.android)
        let back = later.when(try rollBack(to: past))
        #expect(back.logState.app(harbour)?.document(.ios) == past.document(.ios))
        #expect(back.logState.app(harbour)?.document(.android) == kept)
        #expect(back.events.rollback?.platforms == [.ios])
        later.when(
            try rollBack(to: past, platforms: [.android, .ios]),
            refusedBy: .documentEmptied(.android)
        )
        back.when(try rollBack(to: past), refusedBy: .documentEmptied(.android))
    }

    @Test func `one that was added later with offers alone stays as it is too`() throws {
        let first = try Given.harbourApp().raised(1, to: "3.0.0")
        let past = first.present
        let later = try first.raised(2, to: "3.2.0").when(
            .system,
            (.app(harbour), .app(.offersReplaced(.android, [.nothing(on: .android)])))
        )
        let back = later.when(try rollBack(to: past))
        #expect(back.logState.app(harbour)?.document(.ios) == past.document(.ios))
        #expect(back.logState.app(harbour)?.document(.android).offers == [.nothing(on: .android)])
        #expect(back.events.rollback?.platforms == [.ios])
    }

    @Test func `a platform that is named keeps the offers that are all it has`() throws {
        let given = try Given.harbourApp()
        let nothing = given.present
        let offered = given.when(
            .system,
            (.app(harbour), .app(.offersReplaced(.android, [.nothing(on: .android)])))
        )
        for command in [
            try rollBack(to: nothing), try rollBack(to: nothing, platforms: [.android]),
            try rollBack(to: nothing, fields: [.offers(of: .android)]),
        ] {
            offered.when(command, refusedBy: .documentEmptied(.android))
        }
        let held = offered.when(
            .system,
            (.app(harbour), .app(.thresholdSet(.android, .minimumApp, code(320))))
        )
        let back = held.when(try rollBack(to: nothing, fields: [.offers(of: .android)]))
        #expect(back.logState.app(harbour)?.document(.android).offers.isEmpty == true)
    }

    @Test func `where there is nothing to go back to an emergency lets all in`() throws {
        let raised = try Given.harbourApp().raised(1, to: "3.0.0")
        let emergency = try emergency(
            [Operation(.ios, .minimumApp, .clearThreshold)],
            base: raised.logState.position
        )
        let after = raised.when(emergency)
        #expect(after.logState.app(harbour)?.document(.ios).hasThresholds == false)
        #expect(Objection.documentEmptied(.ios).remedy.contains("emergency"))
    }

    @Test func `a rollback to what is live is refused`() throws {
        let (given, past) = try raised()
        given.when(try rollBack(to: past)).when(
            try rollBack(to: past),
            refusedBy: .nothingChanges
        )
        given.when(
            try rollBack(to: past, platforms: [.android]),
            refusedBy: .nothingChanges
        )
    }

    @Test func `only a responder rolls back`() throws {
        let (given, past) = try raised()
        for other in [alice, bob, root] {
            given.when(
                try rollBack(to: past, by: other),
                refusedBy: .roleMissing(.responder, .app(harbour))
            )
        }
    }

    @Test func `platforms are those of the app, each once`() throws {
        let (given, past) = try raised()
        given.when(
            try rollBack(to: past, platforms: []),
            refusedBy: .listEmpty(at: "/platforms")
        )
        given.when(
            try rollBack(to: past, platforms: [.ios, .macos, .ios]),
            refusedBy: .platformUnknown(harbour, .macos, at: "/platforms/1"),
            .repeated("ios", at: "/platforms/2")
        )
    }

    @Test func `a change that a rollback undid is not approved by an old glance`() throws {
        var (given, past) = try raised()
        given = given.when(
            try given.proposal([Operation(.ios, .minimumApp, .setValue(dotted("3.4.0")))])
        )
        let seen = given.digest(change(3))
        given = given.when(try rollBack(to: past))
        let command = approval(of: change(3), seen: seen)
        #expect(throws: Refusal.self) { try command.decide(in: given.logState, at: testNow) }
    }

    @Test func `a text without a value comes back as it was`() throws {
        let before = try document(value: nil, texts: ["en": "Alpha", "cy": "Alffa"])
        let after = try document(value: "2", texts: ["en": "Beta"])
        for (from, to) in [(before, after), (after, before)] {
            var document = from
            for operation in from.operations(to: to) { document.apply(operation) }
            #expect(document == to)
        }
    }

    private func document(value: String?, texts: [String: String]) throws -> Document {
        var document = Document(platform: .ios)
        document[.minimumApp].value = value.map(dotted)
        for (language, words) in texts {
            document[.minimumApp].titles[tag(language)] = try text(words)
        }
        return document
    }
}

extension [RecordedEvent] {
    fileprivate var rollback: RollbackRecord? {
        for case .app(.rolledBack(let record)) in lazy.map(\.event) { return record }
        return nil
    }
}

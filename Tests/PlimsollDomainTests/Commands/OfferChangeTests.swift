import PlimsollDomain
import PlimsollTestSupport
import Testing

/// Offers as part of a change, from the proposal to what a rollback makes of them.
@Suite struct OfferChangeTests {
    private func offer(_ version: String, system: String? = nil) throws -> Offer {
        Offer(
            required: try apple(version),
            requirements: OfferRequirements(system: try system.map(apple))
        )
    }

    private func edits(_ edits: OfferEdit...) -> [PlimsollDomain.Operation] {
        edits.map { Operation(.ios, offers: $0) }
    }

    /// Harbour with two offers on iOS, put there by change 1.
    private func offering() throws -> Given {
        var given = try Given.harbourApp()
        let list = [try offer("3.2.0", system: "17.0.0"), try offer("3.0.0")]
        given = given.when(
            try propose(edits(.insert(list[1], at: 0), .insert(list[0], at: 0)), base: .start)
        )
        given = given.when(given.approve(change(1)))
        #expect(given.logState.app(harbour)?.document(.ios).offers == list)
        return given
    }

    private func refused(
        _ edits: OfferEdit...,
        in given: Given? = nil,
        by objections: Objection...
    ) throws {
        let given = try given ?? offering()
        let operations = edits.map { Operation(.ios, offers: $0) }
        let command = try propose(operations, base: given.logState.position)
        do throws(Refusal) {
            _ = try command.decide(in: given.logState, at: testNow)
            Issue.record("accepted: \(edits)")
        } catch {
            #expect(error.objections == objections)
        }
        for objection in objections {
            #expect(!objection.detail.isEmpty && !objection.remedy.isEmpty)
        }
    }

    @Test func `edits follow each other, and one event says the whole list`() throws {
        let given = try offering()
        let next = try offer("3.4.0", system: "18.0.0")
        let open = given.when(
            try given.proposal(edits(.insert(next, at: 2), .move(from: 2, to: 0), .remove(1)))
        )
        let list = [next, try offer("3.0.0")]
        let content = try open.logState.examined(change(2), by: .system, testHash).content
        let field = Field.offers(of: .ios)
        #expect(content.effect.map(\.field) == [field])
        #expect(content.effect.map(\.after) == [.offers(list)])
        #expect(ChangeKind.kinds(of: content.effect) == [.offers])
        let applied = open.when(open.approve(change(2)))
        #expect(applied.events.contains { $0.event == .app(.offersReplaced(.ios, list)) })
        #expect(applied.logState.app(harbour)?.lastWrite(of: field)?.actor == bob)
        #expect(applied.logState.app(harbour)?.document(.android).offers == [])
    }

    @Test func `a place that is not there is refused where it stands`() throws {
        let extra = try offer("4.0.0", system: "19.0.0")
        func missing(_ place: Int, of count: Int, at pointer: Pointer) -> Objection {
            .offerPlaceMissing(.ios, OfferPlaceMissing(place: place, count: count), at: pointer)
        }
        try refused(.remove(2), by: missing(2, of: 2, at: "/operations/0"))
        try refused(.insert(extra, at: 3), by: missing(3, of: 2, at: "/operations/0"))
        try refused(.move(from: 0, to: -1), by: missing(-1, of: 2, at: "/operations/0"))
        try refused(
            .remove(0),
            .replace(1, with: extra),
            by: missing(1, of: 1, at: "/operations/1")
        )
    }

    @Test func `a list that clients fail on is refused, and the edit is named`() throws {
        try refused(
            .insert(Offer(requirements: OfferRequirements(system: try apple("18.0.0"))), at: 0),
            by: .offerRefused(.noVersion(0), at: "/operations/0/offer")
        )
        try refused(
            .insert(try offer("3.3.0", system: "17.0.0"), at: 1),
            by: .offerRefused(.sameRequirements(1, asked: 0), at: "/operations/0/offer")
        )
        try refused(
            .move(from: 1, to: 0),
            by: .offerRefused(.unreachable(1, behind: 0), at: "/operations/0")
        )
        let code = try versionCode(5)
        try refused(
            .set([Offer(last: code), Offer(required: try apple("0.0.0"))]),
            by: .offerRefused(.foreignVersion(0, code), at: "/operations/0/offers/0"),
            .offerRefused(.unreachable(1, behind: 0), at: "/operations/0/offers/1"),
            .offerRefused(.requiresNothing(1), at: "/operations/0/offers/1")
        )
    }

    @Test func `a list beyond all measure is refused, and so is one on the way`() throws {
        let many = try (1...101).map { try offer("3.0.0", system: "\($0).0.0") }
        try refused(.set(many), by: .listTooLong(maximum: 100, at: "/operations/0"))
        try refused(
            .set(many),
            .set([]),
            by: .listTooLong(maximum: 100, at: "/operations/0")
        )
        var large = try offer("3.0.0")
        for number in 0..<3 {
            let name = try #require(MetadataName("text.\(number)"))
            large.metadata[name] = OfferValue(
                try text(String(repeating: "\u{1F6A2}", count: 4000))
            )
        }
        try refused(.set([large]), by: .offersTooLarge(.ios, at: "/operations/0"))
        try refused(.set([large]), .remove(0), by: .offersTooLarge(.ios, at: "/operations/0"))
    }

    @Test func `an offer for every device stands beside the others, which are full`() throws {
        let full = try (1...100).map { try offer("3.0.0", system: "\($0).0.0") }.reversed()
        let given = try offering()
        let open = Operation(.ios, offers: .set(full + [try offer("3.0.0")]))
        _ = given.when(try propose([open], base: given.logState.position))
        try refused(
            .set(full + [try offer("3.0.0"), try offer("2.0.0")]),
            by: .listTooLong(maximum: 100, at: "/operations/0")
        )
    }

    // Goal: no list grows without end because each change may add what a block adds.
    @Test func `a list that is full with an offer for every device grows no further`() throws {
        let given = try offering()
        let full = edits(.set(try offers(weighing: Offer.weightMaximum + 240)))
        let open = given.when(try propose(full, base: given.logState.position))
        let applied = open.when(open.approve(change(2)))
        try refused(
            .set(try offers(weighing: Offer.weightMaximum + 241)),
            in: applied,
            by: .offersTooLarge(.ios, at: "/operations/0")
        )
        // Nor does it keep the room of that offer for another one, which leaves none for a block.
        var closed = try offers(weighing: Offer.weightMaximum + 240)
        closed[1].requirements.system = try apple("16.0.0")
        try refused(.set(closed), in: applied, by: .offersTooLarge(.ios, at: "/operations/0"))
    }

    /// The last of them asks nothing of a device.
    private func offers(weighing weight: Int) throws -> [Offer] {
        var offers = [try offer("3.2.0", system: "17.0.0"), try offer("3.0.0")]
        func name(_ number: Int) throws -> MetadataName {
            try #require(MetadataName("text.\(number)"))
        }
        for number in 0..<9 {
            offers[0].metadata[try name(number)] = OfferValue(
                try text(String(repeating: "a", count: 4000))
            )
        }
        let frame = try name(9).text.utf8.count + 6
        let missing = weight - frame - offers.reduce(0) { $0 + $1.weight }
        offers[0].metadata[try name(9)] = OfferValue(
            try text(String(repeating: "a", count: missing))
        )
        return offers
    }

    @Test func `what changes nothing in the end is refused`() throws {
        let extra = try offer("4.0.0", system: "19.0.0")
        try refused(.insert(extra, at: 0), .remove(0), by: .nothingChanges)
        try refused(
            .set([try offer("3.2.0", system: "17.0.0"), try offer("3.0.0")]),
            by: .nothingChanges
        )
    }

    @Test func `offers that others changed since are a conflict, never merged`() throws {
        let given = try offering()
        let base = given.logState.position
        let extra = try offer("4.0.0", system: "19.0.0")
        let both = given.when(try propose(edits(.insert(extra, at: 0)), base: base))
            .when(try propose(edits(.remove(0)), base: base))
        let applied = both.when(both.approve(change(2)))
        let field = Field.offers(of: .ios)
        let write = try #require(applied.logState.app(harbour)?.lastWrite(of: field))
        applied.when(
            applied.approve(change(3)),
            refusedBy: .changedSince(field, write, base: base)
        )
    }

    @Test func `an edit whose place went away is not applied`() throws {
        let given = try offering()
        let base = given.logState.position
        let value = Operation(.ios, .recommendedApp, .setValue(dotted("3.2.0")))
        let texts = try [TextPart.title, .description].map { part in
            Operation(.ios, .recommendedApp, .setText(part, tag("en"), try text("\(part) of it")))
        }
        let both = given.when(try propose(edits(.set([])), base: base))
            .when(try propose(edits(.remove(1)) + [value] + texts, base: base))
        let emptied = both.when(both.approve(change(2)))
        let missing = OfferPlaceMissing(place: 1, count: 0)
        let field = Field.offers(of: .ios)
        let write = try #require(emptied.logState.app(harbour)?.lastWrite(of: field))
        emptied.when(
            emptied.approve(change(3)),
            refusedBy: .changedSince(field, write, base: base),
            .offerPlaceMissing(.ios, missing, at: "/operations/0")
        )
    }

    @Test func `offers that edits do not fit any more are a conflict, whatever is left of them`()
        throws
    {
        let given = try offering()
        let base = given.logState.position
        let past = given.present
        let extra = try offer("4.0.0", system: "19.0.0")
        let field = Field.offers(of: .ios)
        let list = [try offer("3.1.0")]
        for fading in [edits(.remove(1)), edits(.insert(extra, at: 0), .remove(2))] {
            let open = given.when(try propose(edits(.set(list)), base: base))
                .when(try propose(fading, base: base))
            let waiting = try #require(open.logState.openChange(change(3)))
            #expect(try #require(open.logState.app(harbour)).hasMoved(under: waiting) == false)
            let moved = open.when(open.approve(change(2)))
            let app = try #require(moved.logState.app(harbour))
            let write = try #require(app.lastWrite(of: field))
            #expect(app.hasMoved(under: waiting))
            #expect(
                app.conflicts(of: waiting, since: past) == [
                    FieldConflict(
                        field: field,
                        base: past.document(.ios)[field],
                        live: .offers(list),
                        write: write
                    )
                ]
            )
        }
    }

    @Test func `a rollback brings offers back, alone or with everything`() throws {
        var given = try offering()
        given = given.when(try raise(to: "8.0.0", base: given.logState.position))
        given = given.when(given.approve(change(2)))
        let past = given.present
        var later = given.when(try propose(edits(.set([])), base: given.logState.position))
        later = later.when(later.approve(change(3)))
        later = later.when(try raise(to: "9.0.0", base: later.logState.position))
        later = later.when(later.approve(change(4)))
        let field = Field.offers(of: .ios)
        for fields in [nil, [field]] {
            let back = later.when(try rollBack(to: past, fields: fields))
            let document = try #require(back.logState.app(harbour)).document(.ios)
            #expect(document.offers == past.document(.ios).offers)
            #expect(document[.minimumApp].value == dotted(fields == nil ? "8.0.0" : "9.0.0"))
        }
    }

    @Test func `in an emergency a list that clients fail on is refused as well`() throws {
        let given = try offering()
        let operations = edits(.move(from: 1, to: 0))
        let emergency = try emergency(operations, base: given.logState.position)
        given.when(
            emergency,
            refusedBy: .offerRefused(.unreachable(1, behind: 0), at: "/operations/0")
        )
    }

    @Test(arguments: SeededGenerator.seeds)
    func `whatever is edited, the last event of a list says what there is`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var given = try offering()
        var number: Int64 = 1
        for _ in 0..<60 {
            let count = given.logState.app(harbour)?.document(.ios).offers.count ?? 0
            let place = Int.random(in: 0...count, using: &generator)
            let extra = try offer("3.0.\(number)", system: "\(100 + number).0.0")
            let edit = [OfferEdit.insert(extra, at: 0), .remove(place), .move(from: place, to: 0)]
                .randomElement(using: &generator)
            let command = try propose(edits(try #require(edit)), base: given.logState.position)
            guard (try? command.decide(in: given.logState, at: testNow)) != nil else { continue }
            number += 1
            given = given.when(command)
            given = given.when(given.approve(change(number)))
            let said = given.events.reversed().lazy.compactMap { recorded -> [Offer]? in
                guard case .app(.offersReplaced(.ios, let list)) = recorded.event else {
                    return nil
                }
                return list
            }.first
            let offers = try #require(given.logState.app(harbour)).document(.ios).offers
            #expect(offers == said)
            #expect(offers.faults(on: .ios) == [])
        }
        #expect(number > 10)
    }

    // Goal: what was blocked stays blocked when offers come into force that were proposed before: the
    // minimum is no field of theirs, and nobody has seen that. Method: the block finds none to raise.
    @Test func `offers ask for no less than what was blocked since they were proposed`() throws {
        let given = try Given.settled()
        let lower = [Offer(required: try apple("2.0.0"))]
        let operations = edits(.set(lower))
        let proposed = given.when(try given.proposal(operations, at: noon))
        let due = ApplyDueChange(change: change(1), hash: testHash)
        let approved = proposed.when(proposed.approve(change(1)))
        #expect(approved.at(noon).when(due).offers == lower)
        let blocked = approved.when(try block(below: "3.0"))
        blocked.at(noon).when(due, then: [.change(.changeSuspended(.conflict))])
        // It does not come to that, so a block once more has nothing to say against it.
        blocked.when(try block(below: "3.0"), refusedBy: .nothingChanges)
        let former = blocked.logState.deciding(by: .forgettingMinima)
        let decided = try due.decide(in: former, at: noon).events.map(\.event)
        #expect(decided.first == .app(.offersReplaced(.ios, lower)))
        // Nor are they approved unseen, and whoever revises them has seen it.
        let late = proposed.when(try block(below: "3.0"))
        let field = Field(.ios, .minimumApp, .value)
        let write = try #require(late.logState.app(harbour)?.lastWrite(of: field))
        let base = try #require(late.logState.openChange(change(1))).base
        late.when(
            late.approve(change(1)),
            refusedBy: .changedSince(field, write, base: base)
        )
        let revised = late.when(
            ReviseChange(
                change: change(1),
                seen: late.digest(change(1)),
                title: nil,
                base: late.logState.position,
                operations: operations,
                reason: nil,
                by: alice,
                hash: testHash
            )
        )
        #expect(revised.when(revised.approve(change(1))).at(noon).when(due).offers == lower)
    }

    // Goal: whoever blocks knows then, and not at its time, that what was scheduled will not come.
    @Test func `a minimum says which scheduled offers ask for less, before it is there and then`()
        throws
    {
        let given = try Given.settled()
        let lower = edits(.set([Offer(required: try apple("2.0.0"))]))
        let proposed = given.when(try given.proposal(lower, at: noon))
        let waiting = proposed.when(proposed.approve(change(1)))
        func isTold(_ command: some Command, by id: Int64, in given: Given) throws -> Bool {
            let events = try command.decide(in: given.logState, at: testNow).events
            return events.contains { $0.event == .change(.changeOvertaken(by: change(id))) }
        }
        let low = try isTold(try block(below: "2.0"), by: 2, in: waiting)
        let high = try isTold(try block(below: "3.0"), by: 2, in: waiting)
        #expect(!low && high)
        let blocked = waiting.when(try block(below: "3.0"))
        let again = try isTold(try block(below: "3.5"), by: 3, in: blocked)
        #expect(!again, "what is in conflict already is overtaken once")
        let proposal = try raise(to: "3.0", base: waiting.logState.position)
        let raising = waiting.when(proposal)
        let raised = try #require(raising.logState.openChange(change(2)))
        #expect(raising.logState.changesOvertaken(by: raised) == [change(1)])
        let applied = try isTold(raising.approve(change(2)), by: 2, in: raising)
        #expect(applied)
    }
}

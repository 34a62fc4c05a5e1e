import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

/// What a row does not have is not what the page around it has.
@Suite struct RowTests {
    private let names = Names([alice: "Alice", bob: "Bob"])

    @Test func `a row shows nothing of the page in place of what it lacks`() {
        let page = Page(
            "receipt",
            "Receipt",
            [
                "isPublished": true, "sequence": "57",
                "others": Fields(all: [
                    "isBehind": true,
                    "lagging": [
                        Fields(all: ["name": "below", "sequence": nil]),
                        Fields(all: ["name": "beside", "sequence": "56"]),
                    ],
                ]),
            ]
        )
        let english = Language.all[0]
        let text = Templates.all.text(of: page, english.surroundings)
        let word = english["overview.sequence"]
        #expect(text.contains("<li><bdi>below</bdi>: \(english["receipt.nothing"])</li>"))
        #expect(text.contains("<li><bdi>beside</bdi>: \(word) 56</li>"))
    }

    @Test func `a page shows what stands around it in place of what it lacks`() {
        let page = Page("refused", "Refused", ["who": nil])
        let around = Language.all[0].surroundings.merging(["who": "The Reader"]) { $1 }
        #expect(Templates.all.text(of: page, around).contains("<bdi>The Reader</bdi>"))
    }

    // Goal: nobody holds up a processor with what is refused. Method: as much of it as fits into a
    // request, each part with a control of its own; some of them are there.
    @Test(.timeLimit(.minutes(1)))
    func `thousands of things that were refused lead to their controls at once`() {
        let count = 10_000
        let faults = (0..<count).map { index in
            Fields(all: [
                "detail": "Fault \(index).", "remedy": nil,
                "about": index.isMultiple(of: 5) ? "below" : "text.\(index)",
            ])
        }
        let problem = Fields(all: [
            "title": "Refused", "detail": "All of it.", "request": nil, "about": "platform",
            "faults": faults,
        ])
        let texts = [["language": "7", "value": "name=\"text.8\""]]
        let page = Page("block", "Block", ["problem": problem, "texts": texts])
        let text = Templates.all.text(of: page, Language.all[0].surroundings)
        #expect(text.ranges(of: "<a href=\"#below\">").count == count / 5)
        #expect(text.ranges(of: "<a href=\"#text.").count == 1)
        #expect(text.contains("<a href=\"#text.7\"><bdi id=\"fault-4\">Fault 7.</bdi></a>"))
        // Of all that is said about a control the first describes it.
        #expect(text.contains("aria-invalid=\"true\" aria-describedby=\"fault-2\" id=\"below\""))
        #expect(text.ranges(of: "aria-invalid").count == 3)
        #expect(text.contains("<p><a href=\"#platform\">"))
        #expect(text.contains("<li><bdi>Fault 8.</bdi>"))
    }

    // Goal: the name of whoever reads stands beside nothing that Plimsoll did by itself.
    @Test(arguments: [ChangeState.applied, .suspended])
    func `who reads a change has not done what nobody did`(state: ChangeState) async throws {
        let change = ChangeAnswer(
            summary: ChangeSummary(
                id: change(7),
                app: harbour,
                title: try Title(validating: "Raise"),
                author: bob,
                state: state,
                base: Position(1),
                proposedAt: testNow,
                position: Position(9),
                suspension: state == .suspended ? .freeze : nil
            ),
            reason: nil,
            operations: [],
            effect: [],
            digest: nil,
            outcome: ChangeOutcome(decidedAt: state == .applied ? testNow : nil)
        )
        let names = names
        let text = try await shown { visit in
            Page("change", "7", ["timeline": ChangeTimeline(of: change).fields(visit, names)])
        }
        #expect(text.contains("<b>\(Language.all[0]["timeline.\(state.rawValue)"])</b>"))
        #expect(text.contains("<bdi>Bob</bdi>"))
        // The last event of a change need not be the one that suspended it.
        #expect(!text.contains("event=9"))
        // It stands at the head of the page.
        #expect(text.ranges(of: "The Reader").count == 1)
    }

    private static let conflict = FieldConflict(
        field: Field(.ios, .minimumApp, .value),
        base: nil,
        live: .version(dotted("3.2.0")),
        write: FieldWrite(position: Position(9), actor: bob, recordedAt: testNow)
    )

    @Test func `the reason of a change is not that of what it is in conflict with`() async throws {
        let change = ChangeAnswer(
            summary: ChangeSummary(
                id: change(7),
                app: harbour,
                title: try Title(validating: "Raise"),
                author: alice,
                state: .proposed,
                base: Position(1),
                proposedAt: testNow,
                position: Position(2),
                isInConflict: true
            ),
            reason: try Reason(validating: "Because of a crash"),
            operations: [],
            effect: [],
            digest: nil,
            outcome: ChangeOutcome(),
            conflicts: [Self.conflict]
        )
        let names = names
        let text = try await shown { visit in
            var page = Page("change", "7")
            page.fields = visit.contents(of: change, [:], names)
            return page
        }
        #expect(text.contains("<bdi>Bob</bdi>"))
        #expect(text.ranges(of: "Because of a crash").count == 1)
    }

    @Test func `the event that a change is based on is no value of a field`() async throws {
        let names = names
        let text = try await shown { visit in
            let conflict = visit.choice(of: Self.conflict, names)
            return Page(
                "propose",
                "Propose",
                ["base": "4711", "hasConflicts": true, "conflicts": [conflict]]
            )
        }
        #expect(text.contains("<b class=\"value\"></b>"))
        #expect(text.contains("<b class=\"value\">3.2.0</b>"))
    }

    @Test func `what was typed is no comment of a verdict without one`() async throws {
        let verdict = ReviewAnswer.Verdict(
            verdict: ReviewVerdict(.confirmed, comment: nil),
            by: bob,
            at: testNow
        )
        let names = names
        let text = try await shown { visit in
            Page(
                "review",
                "Review",
                ["verdict": visit.fields(of: verdict, names), "comment": "I object."]
            )
        }
        #expect(text.contains("<bdi>Bob</bdi>") && !text.contains("I object."))
    }

    @Test func `what was typed is no reason of a key whose event has none`() async throws {
        let key = KeyID(UUID())
        let event = EventAnswer(
            recordedEvent(
                .key(.keyActivated(key, app: harbour)),
                in: .keys,
                at: testNow,
                Position(9),
                by: bob
            )
        )
        let answer = KeyAnswer(
            id: key,
            app: harbour,
            state: .active,
            position: Position(9),
            publicKey: ""
        )
        let names = names
        let text = try await shown { visit in
            let row = visit.row(of: answer, [event], names)
            let app = Fields(all: ["slug": "harbour", "name": "Harbour", "keys": [row]])
            return Page("keys", "Keys", ["apps": [app], "reason": "For the drill"])
        }
        #expect(text.contains("<bdi>Bob</bdi>") && !text.contains("<bdi>For the drill</bdi>"))
    }
}

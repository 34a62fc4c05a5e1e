import Foundation
import PlimsollAPI
import PlimsollDomain
import Testing

@testable import PlimsollConsole

@Suite struct WordingTests {
    private let person = PrincipalID(UUID())

    private func wording(_ operations: [TypedOperation] = []) throws -> Wording {
        let english = try #require(Language.all.first { $0.tag == "en" })
        return Wording(
            language: english,
            names: Names([person: "alice"]),
            operations: operations
        )
    }

    @Test func `people and fields are called what pages call them`() throws {
        let wording = try wording()
        #expect(wording("Ask one of \(person).") == "Ask one of alice.")
        #expect(
            wording("ios.minimumApp.value rises, and android.minimumOS.")
                == "iOS: Minimum app rises, and Android: Minimum OS."
        )
        #expect(
            wording("ios.minimumApp.description says something else in de: minimumApp is 3.")
                == "iOS: Minimum app: description says something else in de: Minimum app is 3."
        )
        #expect(
            wording("ios.nothing.value of iosdeploy.com") == "ios.nothing.value of iosdeploy.com"
        )
    }

    @Test func `what somebody is called is never taken for somebody else's id`() {
        let (one, other) = (PrincipalID(UUID()), PrincipalID(UUID()))
        let names = Names([one: other.text, other: one.text])
        #expect(names.naming(in: "\(one), \(other)") == "\(other), \(one)")
    }

    @Test func `what becomes of a field is told in the reader's words`() throws {
        let german = try #require(Language.all.first { $0.tag == "de" })
        let version = FieldValue.version(.dotted(try #require(AppleVersion("3.2.0"))))
        let text = FieldValue.text(try Text(validating: "Neu"))
        let tag = try #require(LanguageTag("cy"))
        let (minimum, title) = (
            Field(.ios, .minimumApp, .value), Field(.ios, .minimumApp, .text(.title, tag))
        )
        let told = [
            FieldChange(field: minimum, before: nil, after: version),
            FieldChange(field: minimum, before: version, after: nil),
            FieldChange(field: title, before: text, after: nil),
            FieldChange(field: .packages, before: nil, after: nil),
        ].map { $0.sentence(german) }
        #expect(
            told == [
                "iOS: Mindestversion der App nicht gesetzt → 3.2.0",
                "iOS: Mindestversion der App 3.2.0 → nicht gesetzt",
                "iOS: Mindestversion der App: Titel (cy) entfernt",
                "iOS: Pakete keine → keine",
            ]
        )
    }

    @Test func `a refusal says which field it is about, once`() throws {
        let language = try #require(LanguageTag("de"))
        let text = try Text(validating: "Neu")
        let operations = [
            PlimsollDomain.Operation(.ios, .minimumApp, .clearValue),
            PlimsollDomain.Operation(.android, .minimumApp, .setText(.description, language, text)),
        ].map { TypedOperation($0, in: $0.field?.path) }
        let detail = "The text is empty."
        let fault = Problem.Fault(at: .body("/operations/1/text"), code: "x", detail: detail)
        let problem = Problem(
            .invalidRequest,
            detail: "/operations/1/text: \(detail)",
            errors: [fault]
        )
        let fields = try wording(operations).fields(of: problem)
        let name = "Android: Minimum app: description (de)"
        #expect(fields["detail"] as? String == "\(name): \(detail)")
        #expect((fields["faults"] as? [Fields])?.isEmpty == true)
    }

    // Goal: nobody is led to a field that is as it should be. Method: the same field is typed, stands in
    // the further edits, and is kept of the change that is revised.
    @Test func `a refusal leads to where its edit was typed`() throws {
        let clearing = PlimsollDomain.Operation(.ios, .minimumApp, .clearValue)
        let controls = ["ios.minimumApp.value", "operations", nil]
        let faults = (0...3).map { number in
            Problem.Fault(
                at: .body(Pointer("/operations").appending(number)),
                code: "x",
                detail: "\(number)."
            )
        }
        let problem = Problem(.invalidRequest, detail: "4 things are wrong.", errors: faults)
        let wording = try wording(controls.map { TypedOperation(clearing, in: $0) })
        let told = try #require(wording.fields(of: problem)["faults"] as? [Fields])
        #expect(told.map { $0["about"] as? String } == controls + ["operations"])
    }

    @Test func `several are told one by one, each with its remedy`() throws {
        let faults = [
            Problem.Fault(
                at: .body("/reason"),
                code: "x",
                detail: "It is missing.",
                remedy: "Say why."
            ),
            Problem.Fault(at: .body("/operations"), code: "y", detail: "There is none."),
        ]
        let problem = Problem(.invalidRequest, detail: "2 things stand in the way.", errors: faults)
        let fields = try wording().fields(of: problem)
        let told = try #require(fields["faults"] as? [Fields])
        #expect(
            told.map { $0["detail"] as? String } == [
                "Reason: It is missing.", "Further edits (JSON): There is none.",
            ]
        )
        #expect(told[0]["remedy"] as? String == "Say why.")
        #expect(told[1].present["remedy"] == nil)
    }
}

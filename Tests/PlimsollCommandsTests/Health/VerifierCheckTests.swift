import Testing

@testable import PlimsollCommands

struct VerifierCheckTests {
    @Test func `a round that came to its end is told`() {
        let finding = VerifierCheck.finding(metrics: text(age: "12.5", took: "50.1"))
        #expect(finding.isGood)
        #expect(finding.detail.contains("12 s ago, in 50 s"))
    }

    @Test func `rows that were altered are bad, though they are right again`() {
        let finding = VerifierCheck.finding(
            metrics: text(age: "12", took: "50") + "plimsoll_read_models_mended_total 3\n"
        )
        #expect(finding.result == .bad)
        #expect(finding.detail.contains("3 rows"))
    }

    @Test(arguments: [("altered", "not those that the log says"), ("missing", "are gone")])
    func `names that were altered or are gone are bad`(_ kind: String, _ words: String) {
        let metrics = text(age: "12", took: "50") + "plimsoll_verifier_names_\(kind) 2\n"
        let finding = VerifierCheck.finding(metrics: metrics)
        #expect(finding.result == .bad)
        #expect(finding.detail.contains("the names of 2 people"))
        #expect(finding.detail.contains(words))
    }

    @Test func `names of which the log says nothing are told, and well`() {
        let finding = VerifierCheck.finding(
            metrics: text(age: "12", took: "50") + "plimsoll_verifier_names_uncommitted 3\n"
        )
        #expect(finding.isGood)
        #expect(finding.detail.contains("of 3 names"))
    }

    @Test(arguments: ["", "plimsoll_verifier_position 7\n", "nonsense plimsoll_verifier 1 2 3\n\n"])
    func `before the first round nothing is said to be well`(_ metrics: String) {
        #expect(VerifierCheck.finding(metrics: metrics).result == .unchecked)
    }

    @Test func `what cannot be looked at is bad, before the first round as well`() {
        for before in ["", text(age: "12", took: "50")] {
            let finding = VerifierCheck.finding(metrics: before + "plimsoll_verifier_failing 1\n")
            #expect(finding.result == .bad)
            #expect(finding.remedy?.contains("the verifier is held up") == true)
        }
    }

    @Test(arguments: [("700", true), ("701", false)])
    func `a look that does not end is bad`(_ age: String, _ isWell: Bool) {
        let finding = VerifierCheck.finding(metrics: text(age: age, took: "50"))
        #expect(finding.isGood == isWell)
    }

    @Test func `who reads only is not said to be held up, which no log tells`() {
        let finding = VerifierCheck.finding(
            metrics: text(age: "7000", took: "50") + "plimsoll_log_read_only 1\n"
        )
        #expect(finding.result == .unchecked)
        #expect(finding.detail.contains("reads only"))
    }

    @Test func `read models of a newer program are not looked at`() {
        let finding = VerifierCheck.finding(
            metrics: text(age: "12", took: "50") + "plimsoll_verifier_foreign 1\n"
        )
        #expect(finding.result == .unchecked)
        #expect(finding.detail.contains("newer program"))
    }

    private func text(age: String, took: String) -> String {
        """
        # HELP plimsoll_verifier_round_age_seconds Seconds since.
        plimsoll_verifier_round_age_seconds \(age)
        plimsoll_verifier_round_seconds \(took)

        """
    }
}

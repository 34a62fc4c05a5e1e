import Testing

@testable import PlimsollCommands

struct ExporterCheckTests {
    @Test(arguments: [(0, "another instance"), (1, "this instance")])
    func `who publishes is told while nothing is late`(_ active: Int, _ who: String) {
        let finding = ExporterCheck.finding(metrics: text(epoch: "7", lag: "60", active))
        #expect(finding.isGood)
        #expect(finding.detail.hasPrefix("\(who) publishes"))
    }

    @Test(arguments: [("0", "0", "no instance"), ("7", "60.5", "60 s ago")])
    func `that nobody publishes, or not what was ordered, is bad`(
        _ epoch: String,
        _ lag: String,
        _ words: String
    ) {
        let finding = ExporterCheck.finding(metrics: text(epoch: epoch, lag: lag, 0))
        #expect(finding.result == .bad)
        #expect(finding.detail.contains(words))
        #expect(finding.remedy?.contains("the exporter cannot work") == true)
    }

    @Test func `an instance that says nothing of it is taken for nothing`() {
        #expect(ExporterCheck.finding(metrics: "").result == .unchecked)
    }

    private func text(epoch: String, lag: String, _ active: Int) -> String {
        """
        plimsoll_exporter_epoch \(epoch)
        plimsoll_publication_lag_seconds \(lag)
        plimsoll_exporter_active \(active)

        """
    }
}

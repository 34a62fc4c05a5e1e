import PlimsollDocuments
import PlimsollDomain
import PlimsollService
import PlimsollTestSupport
import Testing

/// Random things happen to packages, and devices ask after each.
@Suite struct MarketplaceWalkTests {
    // Goal: nothing withdrawn is ever offered, nothing at or below the installed version is ever an
    // update, a device gets the newest that it can run, and the same log gives the same answers.
    // Method: packages come, are offered by changes with and without times, withdrawn, rolled back and
    // reverted, by people, by time and by Apple, whose notifications may come before an app is listed;
    // what was withdrawn is remembered beside the service, and every id of a version. After each
    // step the snapshots are made, read as a server of devices reads them, and asked. Now and then the
    // state is made anew from the entries of the log, and at the end the whole log is audited.
    @Test(arguments: SeededGenerator.seeds)
    func `whatever happens, devices get what is offered and never what was withdrawn`(
        _ seed: UInt64
    ) throws {
        var walk = try MarketplaceWalk(seed)
        try walk.run(steps: 800, restartEvery: 50)
        for act in [
            "ingest", "withdraw", "notify", "propose", "approve", "roll back", "revert", "end",
            "apply",
        ] {
            // A walk that nobody has seen may do without.
            #expect(seed > 2 || walk.tally[act] ?? 0 > 0, "seed \(seed): \(act) never happened")
        }
        var audit = DecisionAudit(hash: ChangeDigest.init(of:))
        for event in try walk.ground.recordedEvents() { try audit.take(event) }
        try audit.end()
        #expect(audit.logState == walk.ground.logState)
    }
}

import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem
import PlimsollTestSupport
import Testing

@Suite struct ExportFolderTests {
    private let folder = ExportFolder("/export")
    private let sequence = SnapshotSequence(orderedBy: Position(17))

    @Test func `everything has its place`() {
        #expect(folder.snapshot(sequence, of: harbour) == "/export/snapshots/harbour/17")
        #expect(folder.current(of: harbour) == "/export/current/harbour")
        #expect(folder.keyList == "/export/keys.json")
    }

    @Test func `a destination is read as it was written`() {
        let text = folder.currentDestination(sequence, of: harbour)
        #expect(text == "../snapshots/harbour/17")
        #expect(folder.sequence(inDestination: text, of: harbour) == sequence)
    }

    @Test(arguments: [
        "", "17", "../snapshots/harbour/", "../snapshots/harbour/0", "../snapshots/harbour/-1",
        "../snapshots/harbour/017", "../snapshots/harbour/+17", "../snapshots/quay/17",
        "../snapshots/harbour/17/", "/snapshots/harbour/17",
        "../snapshots/harbour/99999999999999999999",
    ])
    func `what was not written so is no destination`(text: String) {
        #expect(folder.sequence(inDestination: text, of: harbour) == nil)
    }
}

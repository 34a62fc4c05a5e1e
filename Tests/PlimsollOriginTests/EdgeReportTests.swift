import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollOrigin

@Suite struct EdgeReportTests {
    private let harbour: AppSlug
    private let quay: AppSlug

    init() throws {
        harbour = try #require(AppSlug("harbour"))
        quay = try #require(AppSlug("quay"))
    }

    private func sequence(_ number: Int64) throws -> SnapshotSequence {
        try #require(SnapshotSequence(rawValue: number))
    }

    private func report(
        _ name: String,
        serves: [AppSlug: SnapshotSequence?]
    ) -> EdgeReport {
        FollowingEdges(name: name).summary(serving: serves)
    }

    @Test func `a tree is counted, and who lags in it is named with the way there`() throws {
        let now = ContinuousClock.now
        let (five, six) = (try sequence(5), try sequence(6))
        let served = [harbour: six, quay: five]
        let (top, middle) = (FollowingEdges(name: "top"), FollowingEdges(name: "middle"))
        middle.take(
            report("leaf-1", serves: [harbour: six]),
            of: EdgeID(),
            at: now,
            serving: served
        )
        middle.take(
            report("leaf-2", serves: [harbour: five]),
            of: EdgeID(),
            at: now,
            serving: served
        )
        // It follows another app alone, and has nothing of it yet.
        middle.take(report("leaf-3", serves: [quay: nil]), of: EdgeID(), at: now, serving: served)
        let below = middle.summary(serving: served, at: now)
        top.take(below, of: EdgeID(), at: now, serving: served)
        let summary = top.summary(serving: served, at: now)
        #expect(summary.edges == 5)
        #expect(summary.depth == 3)
        #expect(
            summary.lagging == [
                .init(path: ["middle", "leaf-2"], app: harbour, sequence: five),
                .init(path: ["middle", "leaf-3"], app: quay, sequence: nil),
            ]
        )
        #expect(summary.silent.isEmpty)
    }

    @Test func `who says nothing any more is silent, and then gone`() {
        let top = FollowingEdges(name: "top")
        let start = ContinuousClock.now
        top.take(report("leaf", serves: [:]), of: EdgeID(), at: start, serving: [:])
        #expect(top.summary(serving: [:], at: start + .seconds(20)).silent.isEmpty)
        #expect(top.summary(serving: [:], at: start + .seconds(31)).silent == ["leaf"])
        let later = top.summary(serving: [:], at: start + .seconds(601))
        #expect(later.edges == 1)
        #expect(later.silent.isEmpty)
    }

    @Test func `a report is as long as its bounds, however many there are below`() throws {
        let top = FollowingEdges(name: "top")
        let served = [harbour: try sequence(1)]
        for number in 1...5000 {
            let leaf = report("leaf-\(number)", serves: [harbour: nil])
            top.take(leaf, of: EdgeID(), at: .now, serving: served)
        }
        let summary = top.summary(serving: served)
        #expect(summary.edges == 1025)
        #expect(summary.lagging.count == 32)
        #expect(JSONValue.object(summary.json).canonicalBytes().count < EdgeReport.sizeMaximum)
    }

    @Test func `who is started anew takes the place of who is silent by that name`() {
        let top = FollowingEdges(name: "top")
        let start = ContinuousClock.now
        let leaf = report("leaf", serves: [:])
        top.take(leaf, of: EdgeID(), at: start, serving: [:])
        let later = start + .seconds(60)
        top.take(leaf, of: EdgeID(), at: later, serving: [:])
        let summary = top.summary(serving: [:], at: later)
        #expect(summary.edges == 2)
        #expect(summary.silent.isEmpty)
    }

    @Test func `edges in a circle, and apps that nobody has, are not counted`() throws {
        let top = FollowingEdges(name: "top")
        var deep = FollowingEdges(name: "0").summary(serving: [:])
        for level in 1...40 {
            let next = FollowingEdges(name: "\(level)")
            next.take(deep, of: EdgeID(), at: .now, serving: [:])
            deep = next.summary(serving: [:])
        }
        #expect(deep.depth <= 17)
        let invented = report("leaf", serves: [harbour: nil, quay: nil])
        top.take(invented, of: EdgeID(), at: .now, serving: [harbour: try sequence(1)])
        #expect(top.summary(serving: [harbour: try sequence(1)]).lagging.map(\.app) == [harbour])
    }

    @Test func `a report reads as it is written`() throws {
        let report = EdgeReport(
            name: "top:8081",
            serves: [harbour: try sequence(7), quay: nil],
            edges: 12,
            depth: 3,
            lagging: [.init(path: ["a", "b"], app: harbour, sequence: nil)],
            silent: ["c"]
        )
        #expect(try EdgeReport(parsing: JSONValue.object(report.json).canonicalBytes()) == report)
    }

    @Test(arguments: [
        ("", ""), ("[]", ""), ("{}", "/name"),
        (#"{"name":"<b>","serves":{},"edges":1,"depth":1,"lagging":[],"silent":[]}"#, "/name"),
        (
            #"{"name":"a","serves":{"A b":1},"edges":1,"depth":1,"lagging":[],"silent":[]}"#,
            "/serves/A b"
        ),
        (#"{"name":"a","serves":{},"edges":0,"depth":1,"lagging":[],"silent":[]}"#, "/edges"),
        (
            #"{"name":"a","serves":{},"edges":1,"depth":9999999,"lagging":[],"silent":[]}"#,
            "/depth"
        ),
        (
            #"{"name":"a","serves":{},"edges":1,"depth":1,"lagging":[{}],"silent":[]}"#,
            "/lagging/0/path"
        ),
    ])
    func `a report that is none is refused, with the member that is wrong`(
        text: String,
        pointer: String
    ) {
        let error = #expect(throws: JSONIssues.self) {
            _ = try EdgeReport(parsing: Array(text.utf8))
        }
        #expect(error?.issues.contains { $0.pointer.text == pointer } == true)
    }
}

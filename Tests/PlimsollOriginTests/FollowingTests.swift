import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollTestSupport
import Testing

@testable import PlimsollOrigin

@Suite struct FollowingTests {
    private struct Away: Error {}

    private func notice(_ sequence: Int64, of app: String = "harbour") throws -> SnapshotNotice {
        SnapshotNotice(of: OfferedSnapshot(try SnapshotSketch(app).snapshot(sequence)))
    }

    @Test func `of one app one is fetched at a time, and always the newest`() throws {
        var followed = FollowedSnapshots()
        let notices = try (1...3).map { try notice($0) }
        let app = notices[0].app
        let begins = notices.map { followed.tell($0) }
        #expect(begins == [true, false, false])
        let first = followed.next(of: app, after: nil)
        #expect(first == notices[2])
        let (isAgain, fourth) = (followed.tell(try notice(4)), try notice(4).sequence)
        #expect(!isAgain)
        followed.take(notices[2])
        let next = followed.next(of: app, after: first)
        let second = try #require(next)
        #expect(second.sequence == fourth)
        followed.take(second)
        let third = followed.next(of: app, after: second)
        #expect(third == nil)
        let (retries, isTold) = (followed.retry(), followed.tell(second))
        #expect(retries.isEmpty)
        #expect(!isTold)
    }

    @Test func `what could not be had is asked for again, not at once`() throws {
        var followed = FollowedSnapshots()
        let (one, other) = (try notice(1), try notice(1, of: "quay"))
        for notice in [one, other] { _ = followed.tell(notice) }
        let next = followed.next(of: one.app, after: one)
        #expect(next == nil)
        let retries = [followed.retry(), followed.retry()]
        #expect(retries == [[one.app], []])
        let again = followed.next(of: one.app, after: nil)
        #expect(again == one)
    }

    @Test func `who tells nothing is looked at, and who is away is asked ever more rarely`() {
        var course = FollowingCourse()
        let ends: [FollowingEnd] = [.untold, .lost(Away()), .lost(Away())]
        let steps = ends.map { course.next(after: $0) }
        #expect(
            steps == [
                .looking(times: 12), .again(after: .milliseconds(100)),
                .again(after: .milliseconds(200)),
            ]
        )
        for _ in 1...20 { _ = course.next(after: .lost(Away())) }
        let (longest, first) = (course.next(after: .lost(Away())), course.next(after: .ended))
        #expect(longest == .again(after: .seconds(5)))
        #expect(first == .again(after: .milliseconds(100)))
    }

    @Test func `after silence answers that wait are tried, and then a stream again`() {
        var course = FollowingCourse()
        #expect(course.mode == .streaming)
        _ = course.next(after: .silent)
        #expect(course.mode == .polling)
        _ = course.next(after: .ended)
        #expect(course.mode == .streaming)
        _ = course.next(after: .silent)
        _ = course.next(after: .silent)
        #expect(course.mode == .streaming)
    }
}

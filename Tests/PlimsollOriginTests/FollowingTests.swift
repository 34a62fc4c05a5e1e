import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollTestSupport
import Testing

@testable import PlimsollOrigin

@Suite struct FollowingTests {
    private struct Away: Error {}

    private func notice(_ sequence: Int64, of app: String = "harbour") throws -> SnapshotNotice {
        SnapshotNotice(of: OfferedSnapshot(try SnapshotBuilder(app).snapshot(sequence)))
    }

    @Test func `of one app one is fetched at a time, and always the newest`() throws {
        var followed = FollowedSnapshots()
        let notices = try (1...3).map { try notice($0) }
        _ = followed.retry(trusting: [notices[0].app])
        let begins = [followed.tell(notices[0]), followed.tell(notices[1])]
        #expect(begins == [1, 0])
        var next = followed.next()
        let first = try #require(next)
        #expect(first == notices[1])
        let another = followed.tell(notices[2])
        #expect(another == 0)
        followed.finish(first, .served)
        let second = followed.next()
        #expect(second == notices[2])
        followed.finish(notices[2], .served)
        next = followed.next()
        #expect(next == nil)
        let (again, retries) = (
            followed.tell(notices[2]), followed.retry(trusting: [notices[0].app])
        )
        #expect(again == 0)
        #expect(retries == 0)
    }

    @Test func `what could not be had is asked for again, not at once`() throws {
        var followed = FollowedSnapshots()
        let one = try notice(1)
        _ = followed.retry(trusting: [one.app])
        _ = followed.tell(one)
        var next = followed.next()
        let first = try #require(next)
        followed.finish(first, .failed)
        next = followed.next()
        #expect(next == nil)
        let retries = followed.retry(trusting: [one.app])
        #expect(retries == 1)
        next = followed.next()
        #expect(next == one)
    }

    @Test func `what was refused is asked for again only with other keys`() throws {
        var followed = FollowedSnapshots()
        let one = try notice(1)
        _ = followed.retry(trusting: [one.app])
        _ = followed.tell(one)
        let next = followed.next()
        let first = try #require(next)
        followed.finish(first, .refused)
        let another = followed.next()
        #expect(another == nil)
        let retries = followed.retry(trusting: [one.app])
        #expect(retries == 0)
        followed.forgetRefusals()
        let later = followed.retry(trusting: [one.app])
        #expect(later == 1)
    }

    @Test func `apps that nobody trusts are not fetched, and few at a time of those that are`()
        throws
    {
        var followed = FollowedSnapshots()
        let notices = try (1...9).map { try notice(1, of: "app-\($0)") }
        let begun = notices.map { followed.tell($0) }
        #expect(begun.allSatisfy { $0 == 0 })
        let trusted = followed.retry(trusting: Set(notices.map(\.app)))
        #expect(trusted == FollowedSnapshots.workersMaximum)
        let more = followed.retry(trusting: Set(notices.map(\.app)))
        #expect(more == 0)
    }

    @Test func `who tells nothing is looked at, and who is away is asked ever more rarely`() {
        var course = FollowingCourse()
        #expect(course.mode == .streaming)
        let ends: [FollowingEnd] = [.untold, .lost(Away()), .lost(Away())]
        let steps = ends.map { course.next(after: $0) }
        #expect(
            steps == [
                .looking(times: 12), .again(after: .milliseconds(100), looks: false),
                .again(after: .milliseconds(200), looks: true),
            ]
        )
        for _ in 1...20 { _ = course.next(after: .lost(Away())) }
        let longest = course.next(after: .lost(Away()))
        #expect(longest == .again(after: .seconds(5), looks: true))
        #expect(course.next(after: .ended) == longest)
        let first = course.next(after: .ended, wasTold: true)
        #expect(first == .again(after: .milliseconds(100), looks: false))
    }

    @Test func `who was told until then is asked at once, however often that was lost`() {
        var course = FollowingCourse()
        for _ in 1...20 { _ = course.next(after: .lost(Away()), wasTold: true) }
        let step = course.next(after: .lost(Away()), wasTold: true)
        #expect(step == .again(after: .milliseconds(100), looks: false))
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

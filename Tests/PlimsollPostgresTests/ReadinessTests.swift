@testable import PlimsollPostgres
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ReadinessTests {
    @Test func `whoever resumes first decides`() async {
        let waiter = Waiter<Int>()
        #expect(waiter.resume(1))
        #expect(!waiter.resume(2))
        #expect(await waiter.value(until: nil, late: 3, cancelled: 4) == 1)
    }

    @Test func `a deadline decides when nobody else does`() async {
        let begin = ContinuousClock.now
        let value = await Waiter<Int>().value(
            until: begin + .milliseconds(20),
            late: 3,
            cancelled: 4
        )
        #expect(value == 3)
        #expect(.now - begin >= .milliseconds(20))
    }

    @Test func `deadlines that come later do not hide earlier ones`() async {
        await withDiscardingTaskGroup { group in
            for number in (0..<50).reversed() {
                group.addTask(name: "nap \(number)") {
                    let begin = ContinuousClock.now
                    await nap(until: begin + .milliseconds(number))
                    #expect(.now - begin >= .milliseconds(number))
                }
            }
        }
    }

    @Test func `a cancelled task does not nap`() async {
        await withDiscardingTaskGroup { group in
            group.cancelAll()
            group.addTask(name: "cancelled") {
                let begin = ContinuousClock.now
                await nap(until: begin + .seconds(50))
                #expect(.now - begin < .seconds(20))
            }
        }
    }

    @Test func `a blocking call that takes too long is left to itself`() async {
        let (released, finished) = (Tally(), Tally())
        let value = await DetachedThread.value(until: .now + .milliseconds(20)) { () -> Int in
            while released.count == 0 {}
            finished.add()
            return 1
        }
        #expect(value == nil)
        released.add()
        #expect(await eventually { finished.count == 1 })
    }

    @Test func `turns are taken in the order they were asked for`() async throws {
        let turn = Turn()
        let (order, taken) = AsyncStream<Int>.makeStream()
        try await turn.take(until: nil)
        try await withThrowingDiscardingTaskGroup { group in
            for number in 0..<20 {
                group.addTask(name: "waiter \(number)") {
                    try await turn.take(until: nil)
                    taken.yield(number)
                    turn.give()
                }
                while turn.waiterCount <= number { await Task.yield() }
            }
            turn.give()
        }
        taken.finish()
        #expect(await order.reduce(into: []) { $0.append($1) } == Array(0..<20))
    }

    @Test func `a turn passes over those who have left`() async throws {
        let turn = Turn()
        try await turn.take(until: nil)
        let error = await #expect(throws: PostgresError.self) {
            try await turn.take(until: .now + .milliseconds(10))
        }
        #expect(error?.kind == .timedOut(.turn))
        turn.give()
        try await turn.take(until: .now + .seconds(10))
        turn.give()
    }
}

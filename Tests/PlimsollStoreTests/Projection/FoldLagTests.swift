import PlimsollDomain
import Testing

@testable import PlimsollStore

/// When read models count as behind, in time.
@Suite struct FoldLagTests {
    private let start = ContinuousClock.now

    private func moment(_ seconds: Double) -> FoldLag.Moment { start + .seconds(seconds) }

    @Test func `at first they have to come to an end of the log, however long that takes`() {
        var lag = FoldLag()
        lag.expect(Position(1000), from: .start, at: moment(0))
        #expect(lag.state == .starting)
        lag.reach(Position(999), at: moment(50))
        #expect(lag.state == .starting)
        lag.reach(Position(1000), at: moment(60))
        #expect(lag.state == .current)
    }

    @Test func `an empty log has been followed`() {
        var lag = FoldLag()
        lag.expect(.start, from: .start, at: moment(0))
        #expect(lag.state == .current)
    }

    @Test func `who is always a little behind is current`() {
        var lag = FoldLag()
        lag.expect(.start, from: .start, at: moment(0))
        for number in 1...10_000 {
            let now = moment(Double(number) * 0.005)
            lag.reach(Position(number - 1), at: now)
            lag.expect(Position(number), from: Position(number - 1), at: now)
            #expect(lag.state == .current)
        }
    }

    @Test func `who stands still is behind after five seconds, and not before`() {
        var lag = FoldLag()
        lag.expect(Position(7), from: Position(7), at: moment(0))
        for head in 8...13 {
            lag.expect(Position(head), from: Position(7), at: moment(Double(head - 8)))
            #expect(lag.state == .current)
        }
        lag.expect(Position(14), from: Position(7), at: moment(5.1))
        #expect(lag.state == .behind)
    }

    @Test func `who comes after six seconds each time does not come and go`() {
        var lag = FoldLag()
        lag.expect(Position(1), from: Position(1), at: moment(0))
        lag.expect(Position(2), from: Position(1), at: moment(0))
        lag.expect(Position(3), from: Position(1), at: moment(6))
        #expect(lag.state == .behind)
        for round in 1...5 {
            let now = Double(round) * 6
            lag.reach(Position(round + 1), at: moment(now + 0.5))
            #expect(lag.state == .behind)
            lag.expect(Position(round + 2), from: Position(round + 1), at: moment(now + 0.5))
        }
        lag.reach(Position(7), at: moment(31))
        #expect(lag.state == .current)
    }

    @Test func `who was behind is current again at the end of the log`() {
        var lag = FoldLag()
        lag.expect(Position(1), from: Position(1), at: moment(0))
        lag.expect(Position(2), from: Position(1), at: moment(0))
        lag.expect(Position(2), from: Position(1), at: moment(9))
        #expect(lag.state == .behind)
        lag.expect(Position(2), from: Position(2), at: moment(60))
        #expect(lag.state == .current)
    }

    @Test func `read models that were lost are behind, also where they had been current`() {
        var lag = FoldLag()
        lag.expect(Position(5), from: Position(5), at: moment(0))
        lag.expect(Position(5), from: Position(2), at: moment(1))
        lag.expect(Position(5), from: Position(2), at: moment(7))
        #expect(lag.state == .behind)
    }
}

import PlimsollDomain
import Testing

@testable import PlimsollStore

/// Clocks that are set, at the machine and at the database, by as much as people get them wrong.
@Suite struct ClockEstimateTests {
    private static let minute = Duration.seconds(60)
    private static let hour = Duration.seconds(3600)
    private static let tenYears = Duration.seconds(315_576_000)
    static let steps: [Duration] = [minute, hour, tenYears].flatMap { [$0, .zero - $0] }

    @Test func `clocks that agree are trusted, and the time is theirs`() {
        var trial = Trial()
        trial.pass(.seconds(30))
        #expect(trial.isTrusted)
        #expect(trial.error == .zero)
    }

    @Test func `before the database said anything the machine's time counts, for no appointment`() {
        let trial = Trial(looks: false)
        #expect(!trial.isTrusted)
        #expect(trial.error == .zero)
    }

    @Test(arguments: steps)
    func `a machine whose clock is set goes on with the time`(step: Duration) {
        var trial = Trial()
        trial.machine = step
        trial.pass(.seconds(3))
        #expect(trial.isTrusted)
        #expect(trial.error == .zero)
        trial.pass(ClockEstimate.probation * 2)
        #expect(trial.error == .zero)
        trial.machine = .zero
        trial.pass(.seconds(1))
        #expect(trial.isTrusted)
        #expect(trial.error == .zero)
    }

    @Test(arguments: steps)
    func `so does one whose database's clock is set`(step: Duration) {
        var trial = Trial()
        trial.database = step
        trial.pass(.seconds(3))
        #expect(trial.isTrusted)
        #expect(trial.error == .zero)
        trial.pass(ClockEstimate.probation * 2)
        #expect(trial.error == .zero)
    }

    @Test(arguments: steps)
    func `both at once are believed after a while`(step: Duration) {
        var trial = Trial()
        (trial.machine, trial.database) = (step, step)
        trial.pass(ClockEstimate.probation / 2)
        #expect(!trial.isTrusted)
        #expect(trial.error == .zero)
        trial.pass(ClockEstimate.probation)
        #expect(trial.isTrusted)
        #expect(trial.error == step)
    }

    @Test(arguments: steps)
    func `both for a moment are not`(step: Duration) {
        var trial = Trial()
        (trial.machine, trial.database) = (step, step)
        trial.pass(.seconds(5))
        #expect(!trial.isTrusted)
        (trial.machine, trial.database) = (.zero, .zero)
        trial.pass(.seconds(1))
        #expect(trial.isTrusted)
        #expect(trial.error == .zero)
    }

    @Test(arguments: steps)
    func `a start with clocks that disagree waits, and never reckons ahead`(step: Duration) {
        for isMachine in [true, false] {
            var trial = Trial(looks: false)
            if isMachine { trial.machine = step } else { trial.database = step }
            trial.pass(.seconds(3))
            #expect(!trial.isTrusted)
            #expect(trial.error == .zero)
            (trial.machine, trial.database) = (.zero, .zero)
            trial.pass(.seconds(1))
            #expect(trial.isTrusted)
            #expect(trial.error == .zero)
        }
    }

    @Test func `what the database said is not believed for ever`() {
        var trial = Trial()
        trial.pass(ClockEstimate.memory, looking: false)
        #expect(!trial.isTrusted)
        #expect(trial.error == .zero)
    }

    @Test func `clocks that drift together are followed`() {
        var trial = Trial()
        for _ in 1...1000 {
            trial.machine += .milliseconds(20)
            trial.database += .milliseconds(20)
            trial.pass(.seconds(1))
            #expect(trial.isTrusted)
        }
        #expect(trial.error == .seconds(20))
    }
}

/// A process that looks at its database's clock every second, and how far each clock is off.
private struct Trial {
    var machine = Duration.zero
    var database = Duration.zero
    private var estimate = ClockEstimate()
    private var truth = Instant(millisecondsSince1970: 1_795_000_000_000)
    private let start = ContinuousClock.now
    private var passed = Duration.zero
    /// A second ago, as the log has it.
    private var last: Instant { truth.advanced(by: .seconds(-1)) }

    init(looks: Bool = true) {
        if looks { look() }
    }

    var isTrusted: Bool { estimate.isTrusted(reading) }

    /// How far the reckoned time is ahead of the true one.
    var error: Duration {
        .milliseconds(
            estimate.now(reading).millisecondsSince1970 - truth.millisecondsSince1970
        )
    }

    mutating func pass(_ duration: Duration, looking: Bool = true) {
        var rest = duration
        while rest > .zero {
            truth = truth.advanced(by: .seconds(1))
            passed += .seconds(1)
            rest -= .seconds(1)
            if looking { look() }
        }
    }

    private var reading: ClockReading {
        ClockReading(wall: truth.advanced(by: machine), uptime: start + passed)
    }

    private mutating func look() {
        estimate.note(reading, database: truth.advanced(by: database), last: last)
    }
}

/// How many phones look at which time of a day: nights are empty, mornings are full.
///
/// Made up, after how people use their phones; nothing depends on a place in it.
struct DayCurve {
    let phones: Int
    /// How much faster the day goes by; what comes in a second stays what it is.
    let speed: Double

    static let secondsOfDay = 86_400.0
    /// Of each phone, spread over the day as the curve says.
    static let pollsOfPhone = 12.0
    /// The full hour at which most look.
    static let peak = 8

    /// At each full hour, with straight lines between them.
    private static let weights = [
        1.0, 0.6, 0.4, 0.4, 0.6, 1.5, 4.0, 8.0, 12.5, 9.0, 6.0, 5.0, 5.5, 5.0, 4.5, 4.5, 5.0, 6.0,
        6.5, 6.0, 4.5, 3.0, 2.0, 1.5,
    ]

    /// In seconds of those who measure.
    var duration: Double { Self.secondsOfDay / speed }

    var hour: Double { duration / 24 }

    /// How many polls a second begin at a time since the day's begin.
    func rate(at time: Double) -> Double {
        let mean = Double(phones) * Self.pollsOfPhone / Self.secondsOfDay
        let hours = time / hour
        let (index, part) = (Int(hours) % 24, hours - hours.rounded(.down))
        let (weight, next) = (Self.weights[index], Self.weights[(index + 1) % 24])
        let average = Self.weights.reduce(0, +) / 24
        return mean * (weight + (next - weight) * part) / average
    }

    /// The share of phones that have not looked since something was published.
    func stale(after time: Double) -> Double {
        max(0, 1 - time / (24 / Self.pollsOfPhone * hour))
    }
}

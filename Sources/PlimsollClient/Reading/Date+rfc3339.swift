import Foundation

extension Date {
    /// Reads a time in UTC as the service writes it: `2026-11-21T10:22:06.714Z`, with or without
    /// a fraction of the second.
    init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        guard (20...30).contains(bytes.count), bytes.last == UInt8(ascii: "Z") else { return nil }
        for (place, mark) in [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
            as [(Int, Character)]
        {
            guard bytes[place] == mark.asciiValue else { return nil }
        }
        func number(_ places: Range<Int>) -> Int? {
            var sum = 0
            for byte in bytes[places] {
                guard (0x30...0x39).contains(byte) else { return nil }
                sum = sum * 10 + Int(byte - 0x30)
            }
            return sum
        }
        guard
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        var fraction = 0.0
        if bytes.count > 20 {
            let digits = 20..<(bytes.count - 1)
            guard bytes[19] == UInt8(ascii: "."), !digits.isEmpty, let count = number(digits) else {
                return nil
            }
            fraction = Double(count) / pow(10, Double(digits.count))
        }
        let days = daysSince1970(year: year, month: month, day: day)
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
        self.init(timeIntervalSince1970: Double(seconds) + fraction)
    }
}

/// Counts years from March, so that the leap day is the last of its year.
private func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
}

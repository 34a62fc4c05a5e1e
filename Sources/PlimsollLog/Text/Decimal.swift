/// Whole numbers as the formats of transparency logs write them: no sign, no leading zero.
enum Decimal {
    static func parse(_ text: some Collection<UInt8>) -> Int? {
        guard let first = text.first, first != UInt8(ascii: "0") || text.count == 1 else {
            return nil
        }
        return digits(text)
    }

    /// Takes leading zeros as well, which paths of tiles have.
    static func digits(_ text: some Collection<UInt8>) -> Int? {
        guard !text.isEmpty else { return nil }
        var number = 0
        for letter in text {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(letter) else { return nil }
            let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isOver) = tens.addingReportingOverflow(Int(letter - UInt8(ascii: "0")))
            guard !isTooLarge, !isOver else { return nil }
            number = sum
        }
        return number
    }
}

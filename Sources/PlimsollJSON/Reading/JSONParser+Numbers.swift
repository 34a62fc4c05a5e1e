extension JSONParser {
    /// A whole number in `Int64`; what JSON also calls a number is refused by name.
    mutating func integer(_ bytes: Span<UInt8>) throws(JSONError) -> Int64 {
        let start = index
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let firstDigit = index
        // Counted downwards, because there is one negative number more.
        var number: Int64 = 0
        var overflows = false
        while index < bytes.count, (0x30...0x39).contains(bytes[index]) {
            let (product, first) = number.multipliedReportingOverflow(by: 10)
            let digit = Int64(bytes[index] - 0x30)
            let (difference, second) = product.subtractingReportingOverflow(digit)
            overflows = overflows || first || second
            number = difference
            index += 1
        }
        guard index > firstDigit else { throw unexpected(bytes, needed: "a digit") }
        if bytes[firstDigit] == 0x30, index > firstDigit + 1 {
            throw JSONError(.leadingZero, at: start)
        }
        if index < bytes.count, [0x2E, 0x45, 0x65].contains(bytes[index]) {
            throw JSONError(.notWhole, at: start)
        }
        if isNegative, number == 0, !overflows { throw JSONError(.negativeZero, at: start) }
        guard !overflows, isNegative || number != .min else {
            throw JSONError(.numberTooLarge, at: start)
        }
        return isNegative ? number : -number
    }

    func unexpected(_ bytes: Span<UInt8>, needed: String) -> JSONError {
        index < bytes.count
            ? JSONError(.unexpectedByte(bytes[index], needed: needed), at: index)
            : JSONError(.unexpectedEnd, at: index)
    }
}

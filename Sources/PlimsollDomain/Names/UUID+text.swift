package import Foundation

extension UUID {
    /// The canonical form, in small letters.
    ///
    /// Foundation's own goes through `vsnprintf`, which takes ten times as long, and writes
    /// capitals; every event has half a dozen of them.
    package var text: String {
        let bytes = uuid
        let values = [
            bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7,
            bytes.8, bytes.9, bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15,
        ]
        var digits: [UInt8] = []
        digits.reserveCapacity(36)
        for (index, value) in values.enumerated() {
            if index == 4 || index == 6 || index == 8 || index == 10 { digits.append(0x2D) }
            digits.append(hexDigit(value >> 4))
            digits.append(hexDigit(value & 0xF))
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

private func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

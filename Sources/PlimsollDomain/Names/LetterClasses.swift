// What a byte of a name may be, in ASCII and nothing else.

func isLowercaseLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
func isLetter(_ byte: UInt8) -> Bool { isLowercaseLetter(byte | 0x20) }
func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte) }

/// A hexadecimal digit, in small letters or capitals.
func isAnyHexDigit(_ byte: UInt8) -> Bool {
    isHexDigit(byte) || (0x41...0x46).contains(byte)
}

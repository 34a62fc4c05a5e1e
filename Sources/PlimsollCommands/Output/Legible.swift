/// Text from elsewhere, made harmless for a terminal.
///
/// Control characters could move the cursor and repaint what was shown, and bidirectional ones
/// turn it around; a person decides on what they see here. A tab does neither, and is a space.
func legible(_ text: some StringProtocol) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        if scalar == "\t" {
            result.append(" ")
        } else if scalar.properties.generalCategory == .control || isDirectionControl(scalar) {
            result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
        } else {
            result.append(scalar)
        }
    }
    return String(result)
}

private func isDirectionControl(_ scalar: Unicode.Scalar) -> Bool {
    (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
}

/// The text in one line, and no longer than that many characters.
func excerpt(_ text: String, _ lengthMaximum: Int = 60) -> String {
    let line = legible(text.split(separator: "\n").joined(separator: " ⏎ "))
    return line.count <= lengthMaximum ? line : line.prefix(lengthMaximum - 1) + "…"
}

/// How many columns a terminal needs for the text.
func columns(of text: String) -> Int {
    text.reduce(0) { $0 + ($1.unicodeScalars.contains(where: isWide) ? 2 : 1) }
}

/// The blocks that terminals draw two columns wide (Unicode Standard Annex 11).
private func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
        true
    default: false
    }
}

extension TextFault {
    /// The first invisible character of a text that nothing around it needs.
    ///
    /// What was written before there was this rule stays readable, so it is asked where something new
    /// is written. Marks of direction are left to the check `directionMark`.
    package static func invisible(in text: String) -> TextFault? {
        guard text.unicodeScalars.contains(where: \.isInvisible) else { return nil }
        let scalars = Array(text.unicodeScalars)
        let index = scalars.indices.first {
            scalars[$0].isInvisible && !isNeeded(in: scalars, at: $0)
        }
        return index.map { .invisible(scalars[$0].value) }
    }

    /// The first invisible character of a name, which needs none.
    package static func invisible(inName name: String) -> TextFault? {
        name.unicodeScalars.first(where: \.isInvisible).map { .invisible($0.value) }
    }
}

extension Unicode.Scalar {
    /// Whether nothing is drawn for it by itself; ASCII, which nearly all texts are, has no such.
    fileprivate var isInvisible: Bool {
        guard value >= 0xAD else { return false }
        return properties.isDefaultIgnorableCodePoint || value == 0x2800
            || (0xFFF9...0xFFFB).contains(value)
    }

    /// Of a script in whose words letters are joined, or kept apart, by U+200C and U+200D: Arabic and
    /// its neighbours, those of India, Myanmar, Khmer, Mongolian.
    fileprivate var isJoining: Bool {
        switch value {
        case 0x600...0x8FF, 0x900...0xDFF, 0x1000...0x109F, 0x1780...0x18AF, 0x1A20...0x1AAF,
            0x1B00...0x1BBF, 0xA8E0...0xA8FF, 0xA980...0xA9FF, 0xAA60...0xAA7F, 0xFB50...0xFDFF,
            0xFE70...0xFEFC, 0x11000...0x11FFF:
            true
        default: false
        }
    }

    /// Of a script that writes words without blanks and breaks lines at U+200B: Thai, Lao, Tibetan,
    /// Myanmar, Khmer.
    fileprivate var isUnspaced: Bool {
        switch value {
        case 0xE00...0xFFF, 0x1000...0x109F, 0x1780...0x17FF, 0x19E0...0x19FF, 0xA9E0...0xA9FF,
            0xAA60...0xAA7F:
            true
        default: false
        }
    }

    fileprivate var isMongolian: Bool { (0x1800...0x18AF).contains(value) }
    /// What spells the name of a region behind the black flag.
    fileprivate var isTag: Bool { (0xE0020...0xE007E).contains(value) }
}

/// Whether what stands around it needs the invisible character.
private func isNeeded(in scalars: [Unicode.Scalar], at index: Int) -> Bool {
    guard index > 0 else { return [0x200E, 0x200F, 0x61C].contains(scalars[index].value) }
    let before = scalars[index - 1]
    let after = index + 1 < scalars.count ? scalars[index + 1] : nil
    return switch scalars[index].value {
    case 0x200E, 0x200F, 0x61C: true
    case 0x200B: before.isUnspaced && after?.isUnspaced ?? false
    case 0x200C: before.isJoining
    case 0x200D: before.isJoining || isBetweenEmoji(before, after)
    case 0xFE0E, 0xFE0F: before.properties.isEmoji
    case 0xFE00...0xFE0D, 0xE0100...0xE01EF:
        before.properties.isIdeographic || (0x1000...0x109F).contains(before.value)
    case 0x180B...0x180F: before.isMongolian
    case 0xE0020...0xE007F: isInFlag(scalars, index)
    default: false
    }
}

/// As in the emoji of a family; the sign that it is to be drawn in colours may stand between.
private func isBetweenEmoji(_ before: Unicode.Scalar, _ after: Unicode.Scalar?) -> Bool {
    (before.properties.isEmoji || before.value == 0xFE0F) && after?.properties.isEmoji ?? false
}

/// Whether it is part of a flag's name that begins with the black flag and has its end.
private func isInFlag(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
    let start = scalars[..<index].lastIndex { !$0.isTag }
    let end = scalars[index...].firstIndex { !$0.isTag }
    guard let start, let end else { return false }
    return scalars[start].value == 0x1F3F4 && scalars[end].value == 0xE007F && end > start + 1
}

extension App {
    /// What is invisible in the texts of operations; a text that is live already may stand elsewhere
    /// too, so that nobody is kept from blocking a version by what was written long ago.
    func objectionsToInvisible(in operations: [Operation]) -> [Objection] {
        operations.enumerated().compactMap { index, operation in
            guard case .setText(_, _, let text) = operation.edit,
                let fault = TextFault.invisible(in: text.text), !holds(text)
            else { return nil }
            return .invisibleCharacter(
                fault,
                at: Pointer("/operations").appending(index).appending("text")
            )
        }
    }

    private func holds(_ text: Text) -> Bool {
        documents.values.contains { document in
            document.fields.contains { document[$0] == .text(text) }
        }
    }
}

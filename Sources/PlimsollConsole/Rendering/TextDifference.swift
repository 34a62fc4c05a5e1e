/// What is different between two texts, word by word.
struct TextDifference: Equatable {
    enum Kind: String {
        case same
        case removed
        case added
    }

    struct Part: Equatable {
        let kind: Kind
        let text: String
    }

    let parts: [Part]

    /// Beyond so many steps a text is shown as wholly different: nobody reads such a difference.
    static let stepsMaximum = 250_000

    /// Takes its steps from those that are left; where there are too few, the texts are shown whole.
    init(from before: String, to after: String, within stepsLeft: inout Int) {
        let (old, new) = (words(of: before), words(of: after))
        let head = zip(old, new).prefix { $0 == $1 }.count
        let rest = min(old.count, new.count) - head
        let tail = zip(old.suffix(rest).reversed(), new.suffix(rest).reversed())
            .prefix { $0 == $1 }.count
        let (oldMiddle, newMiddle) = (old[head..<old.count - tail], new[head..<new.count - tail])
        let steps = oldMiddle.count * newMiddle.count
        guard steps <= min(Self.stepsMaximum, stepsLeft) else {
            parts = [Part(kind: .removed, text: before), Part(kind: .added, text: after)]
            return
        }
        stepsLeft -= steps
        let merged =
            old[..<head].map { (Kind.same, $0) } + merged(Array(oldMiddle), Array(newMiddle))
            + old[(old.count - tail)...].map { (Kind.same, $0) }
        var parts: [Part] = []
        for (kind, word) in merged {
            if let last = parts.last, last.kind == kind {
                parts[parts.count - 1] = Part(kind: kind, text: last.text + word)
            } else {
                parts.append(Part(kind: kind, text: String(word)))
            }
        }
        self.parts = parts
    }

    /// One side of it: what was before, or what is after.
    func side(without kind: Kind) -> [Part] { parts.filter { $0.kind != kind } }
}

/// Words and what is between them, each for itself.
private func words(of text: String) -> [Substring] {
    var words: [Substring] = []
    var rest = text[...]
    while let first = rest.first {
        let isWord = first.isLetter || first.isNumber
        let word =
            isWord ? rest.prefix { $0.isLetter || $0.isNumber } : rest.prefix(1)
        words.append(word)
        rest = rest[word.endIndex...]
    }
    return words
}

/// The longest common subsequence, with what is beside it.
private func merged(
    _ old: [Substring],
    _ new: [Substring]
) -> [(TextDifference.Kind, Substring)] {
    var lengths = [[Int32]](
        repeating: [Int32](repeating: 0, count: new.count + 1),
        count: old.count + 1
    )
    for row in old.indices.reversed() {
        for column in new.indices.reversed() {
            lengths[row][column] =
                old[row] == new[column]
                ? lengths[row + 1][column + 1] + 1
                : max(lengths[row + 1][column], lengths[row][column + 1])
        }
    }
    var (row, column) = (0, 0)
    var parts: [(TextDifference.Kind, Substring)] = []
    while row < old.count || column < new.count {
        if row < old.count, column < new.count, old[row] == new[column] {
            parts.append((.same, old[row]))
            (row, column) = (row + 1, column + 1)
        } else if column == new.count
            || row < old.count && lengths[row + 1][column] >= lengths[row][column + 1]
        {
            parts.append((.removed, old[row]))
            row += 1
        } else {
            parts.append((.added, new[column]))
            column += 1
        }
    }
    return parts
}

extension Text {
    /// The store of another platform that the text names, as it is written there; one is enough.
    func storesNamed(of platform: Platform) -> [String] {
        let words = text.wordRanges
        for start in words.indices {
            for store in platform.otherStores {
                guard let range = text.range(of: store, in: words[start...]) else { continue }
                let before = start > 0 ? text[words[start - 1]].lowercased() : ""
                let isAny = text[range].allSatisfy { !$0.isUppercase } && articles.contains(before)
                if !isAny { return [String(text[range])] }
            }
        }
        return []
    }
}

private let hyphens: Set<Character> = ["-", "\u{2010}", "\u{2011}"]

/// "Your app store" is whichever a person has.
private let articles: Set = ["a", "an", "any", "each", "every", "your"]

extension String {
    fileprivate var wordRanges: [Range<Index>] {
        split { !$0.isLetter && !$0.isNumber }.map { $0.startIndex..<$0.endIndex }
    }

    /// Where the words begin with a name, however it is joined and capitalised.
    fileprivate func range(
        of name: [String],
        in words: ArraySlice<Range<Index>>
    ) -> Range<Index>? {
        guard let first = words.first else { return nil }
        if self[first].lowercased() == name.joined() { return first }
        guard words.count >= name.count else { return nil }
        let found = words.prefix(name.count)
        guard zip(found, name).allSatisfy({ self[$0].lowercased() == $1 }),
            zip(found, found.dropFirst()).allSatisfy({ isJoint($0.upperBound..<$1.lowerBound) }),
            let last = found.last
        else { return nil }
        return first.lowerBound..<last.upperBound
    }

    /// One blank, or a hyphen: a full stop ends what belongs together.
    private func isJoint(_ range: Range<Index>) -> Bool {
        let between = self[range]
        return between.count == 1 && between.allSatisfy { $0.isWhitespace || hyphens.contains($0) }
    }
}

extension Platform {
    /// The stores of other platforms, by the names that texts call them.
    fileprivate var otherStores: [[String]] {
        switch self {
        case .ios, .macos: [["google", "play"], ["play", "store"]]
        case .android: [["app", "store"], ["itunes"], ["testflight"]]
        case .jvm: []
        }
    }
}

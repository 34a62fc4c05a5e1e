/// Where a tile lies under a log's prefix: `tile/<level>/<index>[.p/<width>]`, or
/// `tile/entries/<index>[.p/<width>]` for the entries themselves (c2sp.org/tlog-tiles).
package struct TileAddress: Hashable, Sendable {
    package let content: Content
    /// Counted from the left among the tiles of its level.
    package let index: Int
    /// How many hashes or entries it has; a full tile has 256.
    package let width: Int

    /// What a tile holds.
    package enum Content: Hashable, Sendable {
        /// Roots of subtrees of 256 to the power of the level leaves; at level 0 leaf hashes.
        case hashes(level: Int)
        case entries
    }

    package static let fullWidth = 256
    package static let levelMaximum = 63

    /// Takes what can be a tile; `nil` for a level, an index or a width that none has.
    package init?(_ content: Content, index: Int, width: Int = fullWidth) {
        guard index >= 0, (1...Self.fullWidth).contains(width) else { return nil }
        if case .hashes(let level) = content, !(0...Self.levelMaximum).contains(level) {
            return nil
        }
        self.content = content
        self.index = index
        self.width = width
    }

    package var isFull: Bool { width == Self.fullWidth }

    /// The tile that a partial one becomes, which may be asked for when the partial is gone.
    package var full: TileAddress { with(width: Self.fullWidth) }

    /// Whether a tree of that size has all that the tile holds.
    package func isWithin(size: Int) -> Bool {
        let (before, isTooLarge) = index.multipliedReportingOverflow(by: Self.fullWidth)
        return !isTooLarge && width <= count(in: size) - before
    }

    /// What a tree of a size has at the tile's level.
    private func count(in size: Int) -> Int { size >> (8 * level) }

    /// The level of the tree's hashes that it lies at; that of entries is 0.
    package var level: Int {
        switch content {
        case .hashes(let level): level
        case .entries: 0
        }
    }

    private func with(width: Int) -> TileAddress {
        TileAddress(content, known: index, width: width)
    }

    private init(_ content: Content, known index: Int, width: Int) {
        self.content = content
        self.index = index
        self.width = width
    }
}

extension TileAddress {
    /// The tile with the hashes that a perfect subtree is folded from, as a tree of a size has it.
    package init(with subtree: PerfectSubtree, in size: Int) {
        precondition(subtree.leaves.upperBound <= size, "a tree has no hashes beyond its entries")
        let level = subtree.level / 8
        let index = (subtree.index << (subtree.level % 8)) / Self.fullWidth
        let width = min(Self.fullWidth, size >> (8 * level) - index * Self.fullWidth)
        self.init(.hashes(level: level), known: index, width: width)
    }

    /// Every tile, of hashes and of entries, that a tree has and that it did not have when it was
    /// smaller; levels upwards, entries last.
    ///
    /// They are made one by one: a size is a number that somebody wrote, and of a tree that nobody
    /// has the first tile is missing.
    package static func added(from old: Int, to new: Int) -> some Sequence<TileAddress> {
        precondition(0 <= old && old <= new, "a tree grows, it never shrinks")
        var (level, before, now) = (0, old, new)
        var rows = [added(.hashes(level: level), from: before, to: now)]
        while now >> 8 > 0 {
            (level, before, now) = (level + 1, before >> 8, now >> 8)
            rows.append(added(.hashes(level: level), from: before, to: now))
        }
        rows.append(added(.entries, from: old, to: new))
        return rows.joined()
    }

    private static func added(
        _ content: Content,
        from old: Int,
        to new: Int
    ) -> some Collection<TileAddress> {
        let first = old / fullWidth
        let end = old < new ? (new - 1) / fullWidth + 1 : first
        return (first..<end).lazy.map { index in
            TileAddress(content, known: index, width: min(fullWidth, new - index * fullWidth))
        }
    }
}

extension TileAddress {
    /// The path under the prefix, such as `tile/0/x001/x234/067.p/8`.
    package var path: String {
        let folder =
            switch content {
            case .hashes(let level): String(level)
            case .entries: "entries"
            }
        return "tile/\(folder)/" + groups.joined(separator: "/") + (isFull ? "" : ".p/\(width)")
    }

    /// Three digits each, all but the last behind an `x`, so that no file is called as a folder.
    private var groups: [String] {
        var rest = index
        var groups = [digits(of: rest)]
        while rest >= 1000 {
            rest /= 1000
            groups.insert("x" + digits(of: rest), at: 0)
        }
        return groups
    }

    private func digits(of number: Int) -> String {
        let text = String(number % 1000)
        return String(repeating: "0", count: 3 - text.utf8.count) + text
    }

    /// Reads a path; a second spelling of one address is refused.
    package init?(path: String) {
        var parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard (3...16).contains(parts.count), parts[0].elementsEqual("tile".utf8) else {
            return nil
        }
        guard let content = Content(folder: parts[1]) else { return nil }
        parts.removeFirst(2)
        var width = TileAddress.fullWidth
        if let name = parts.dropLast().last, let index = name.droppingSuffix(".p") {
            guard let partial = Decimal.parse(parts.removeLast()), partial < width else {
                return nil
            }
            width = partial
            parts[parts.count - 1] = index
        }
        var number: [UInt8] = []
        for (place, group) in parts.enumerated() {
            let isLast = place == parts.count - 1
            guard group.count == (isLast ? 3 : 4) else { return nil }
            guard isLast || group.first == UInt8(ascii: "x") else { return nil }
            number += group.suffix(3)
        }
        guard let index = Decimal.digits(number) else { return nil }
        self.init(content, index: index, width: width)
        guard self.path.utf8.elementsEqual(path.utf8) else { return nil }
    }
}

extension TileAddress: CustomStringConvertible {
    package var description: String { path }
}

extension TileAddress.Content {
    fileprivate init?(folder: Substring.UTF8View) {
        if folder.elementsEqual("entries".utf8) {
            self = .entries
        } else if let level = Decimal.parse(folder) {
            self = .hashes(level: level)
        } else {
            return nil
        }
    }
}

extension Substring.UTF8View {
    fileprivate func droppingSuffix(_ suffix: String) -> Substring.UTF8View? {
        guard suffix.utf8.elementsEqual(self.suffix(suffix.utf8.count)) else { return nil }
        return self.dropLast(suffix.utf8.count)
    }
}

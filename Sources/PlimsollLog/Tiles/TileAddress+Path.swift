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

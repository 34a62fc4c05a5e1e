import Glibc

/// Names for what is not whole yet.
///
/// They begin with a mark of their own, so that what a killed process left behind is known and
/// swept, and carry the process's id and a random number, so that two writers never meet.
package enum TemporaryName {
    private static let mark = ".unfinished-"

    package static func isTemporary(_ name: String) -> Bool {
        name.hasPrefix(mark)
    }

    static func beside(_ path: Path) -> Path {
        path.parent / "\(mark)\(getpid())-\(UInt64.random(in: .min ... .max))"
    }
}

extension Path {
    /// Removes what earlier, interrupted writers left in this folder; answers the names.
    ///
    /// Only for the one writer of the folder: the unfinished work of another would go too.
    @discardableResult
    package func removeLeftovers() throws(FileError) -> [String] {
        let leftovers = try entries().filter(TemporaryName.isTemporary)
        for name in leftovers {
            try (self / name).removeTree()
        }
        return leftovers
    }
}

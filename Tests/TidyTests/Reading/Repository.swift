import Foundation

/// The repository that this test was compiled from.
struct Repository {
    /// What is made by tools and never committed.
    private static let unread: Set = [
        ".build", ".git", ".swiftpm", ".DS_Store", "Package.resolved",
    ]

    static let current = Repository()

    /// Every file whose bytes are text.
    let files: [TextFile]

    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private init() {
        let root = Self.root
        files = Self.paths(below: root, prefix: "").sorted().compactMap { path in
            guard let bytes = try? Data(contentsOf: root.appending(path: path)) else { return nil }
            return String(validating: bytes, as: UTF8.self).map { TextFile(path, $0) }
        }
    }

    /// Symbolic links are not followed: what they point to is read where it lies.
    private static func paths(below folder: URL, prefix: String) -> [String] {
        let keys: [URLResourceKey] = [.isDirectoryKey, .isSymbolicLinkKey]
        let entries = try? FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: keys
        )
        return (entries ?? []).flatMap { entry -> [String] in
            let name = entry.lastPathComponent
            let values = try? entry.resourceValues(forKeys: Set(keys))
            guard !unread.contains(name), values?.isSymbolicLink == false else { return [] }
            guard values?.isDirectory == true else { return [prefix + name] }
            return paths(below: entry, prefix: "\(prefix)\(name)/")
        }
    }

    func file(_ path: String) -> TextFile? { files.first { $0.path == path } }

    /// What a rule finds anywhere.
    func findings(_ rule: (TextFile) -> [Finding]) -> [Finding] { files.flatMap(rule) }
}

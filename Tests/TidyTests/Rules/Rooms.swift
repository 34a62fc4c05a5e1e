/// The rooms and what each may import, as the manifest says it.
///
/// Building holds every import to the manifest (`--explicit-target-dependency-import-check`), and
/// SwiftPM refuses circles. Left to look at is what the system's own libraries would bring into
/// rooms that only compute, and whether the architecture page knows every room.
enum Rooms {
    struct Room: Equatable {
        let module: String
        /// Rooms and libraries, as they are imported.
        let uses: [String]
    }

    /// What the rooms that compute and touch nothing, and the one that apps link, may have of the
    /// system; they import what the manifest names for them, and nothing else.
    static let systemLibraries: [String: Set<String>] = [
        "PlimsollJSON": [],
        "PlimsollDomain": ["Foundation"],
        "PlimsollDocuments": ["Foundation"],
        "PlimsollLog": [],
        "PlimsollClient": ["Foundation", "FoundationNetworking"],
    ]

    /// The rooms in the order of the manifest; one comes after all that it uses.
    static func rooms(in manifest: TextFile) -> [Room] {
        let libraries = Dictionary(
            manifest.text.matches(of: /let (\w+) = product\("(\w+)"/).map {
                (String($0.1), String($0.2))
            },
            uniquingKeysWith: { first, _ in first }
        )
        let declarations = manifest.text.split(separator: "        + module(").dropFirst()
        return declarations.compactMap { declaration in
            guard let name = declaration.firstMatch(of: /"(\w+)"/) else { return nil }
            let uses = declaration.firstMatch(of: /\buses: \[([^\]]*)\]/)?.1 ?? ""
            return Room(
                module: String(name.1),
                uses: uses.matches(of: /\w+/).map { libraries[String($0.0)] ?? String($0.0) }
            )
        }
    }

    /// What a room that only computes has from elsewhere.
    static func forbiddenImports(_ file: TextFile, _ rooms: [Room]) -> [Finding] {
        guard let module = file.module, !file.isExample, let system = systemLibraries[module],
            let room = rooms.first(where: { $0.module == module })
        else { return [] }
        return imports(of: file).compactMap { imported, line in
            guard !room.uses.contains(imported), !system.contains(imported) else { return nil }
            return file.finding(line, "\(module) may not import \(imported)")
        }
    }

    /// The modules named by `import X`, `import X.Y` and `import struct X.Y`.
    private static func imports(of file: TextFile) -> [(module: String, line: Int)] {
        let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        return file.tokens.indices.compactMap { index in
            guard file.tokens[index].text == "import" else { return nil }
            let name = file.tokens[(index + 1)...].first { !kinds.contains($0.text) }
            return name.map { ($0.text, file.tokens[index].line) }
        }
    }

    /// A room that uses one which does not stand above it.
    static func upwardUses(in rooms: [Room]) -> [String] {
        zip(0..., rooms).flatMap { place, room in
            room.uses.filter { used in
                used.hasPrefix("Plimsoll") && !rooms[..<place].contains { $0.module == used }
            }.map { "\(room.module) uses \($0), which is not above it" }
        }
    }

    /// The modules in the page's table of rooms, one a row.
    static func modules(on page: TextFile) -> [String] {
        page.lines.compactMap { $0.firstMatch(of: /^\| `(\w+)` \|/).map { String($0.1) } }
    }
}

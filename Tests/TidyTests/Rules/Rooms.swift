/// Which room may see which: imports go only downwards.
enum Rooms {
    struct Room: Equatable {
        let module: String
        let mayImport: [String]
    }

    /// The rooms in building order: each may only import rooms that stand above it.
    ///
    /// `docs/internals/ARCHITECTURE.md` shows the same table with what each room holds.
    static let table = [
        Room("CLibPQ", []),
        Room("CLinux", []),
        Room("CLinux", []),
        Room("PlimsollJSON", []),
        Room("PlimsollDomain", ["PlimsollJSON", "Foundation", "HashTreeCollections"]),
        Room("PlimsollDocuments", ["PlimsollDomain", "PlimsollJSON", "Crypto", "Foundation"]),
        Room("PlimsollLog", ["Crypto"]),
        Room("PlimsollSystem", []),
        Room("PlimsollSystem", ["CLinux", "CLinux"]),
        Room("PlimsollPostgres", ["CLibPQ", "CLinux"]),
        Room("PlimsollPostgres", ["CLinux", "PlimsollSystem", "PlimsollPostgres"]),
        Room(
            "PlimsollStore",
            [
                "PlimsollDomain", "PlimsollJSON", "PlimsollLog", "PlimsollPostgres",
            ]
        ),
        Room(
            "PlimsollStore",
            [
                "PlimsollDomain", "PlimsollJSON", "PlimsollPostgres", "PlimsollStore",
            ]
        ),
        Room(
            "PlimsollService",
            [
                "PlimsollDomain", "PlimsollJSON", "PlimsollPostgres", "PlimsollStore",
                "PlimsollStore",
            ]
        ),
        Room("PlimsollPublishing", ["PlimsollDomain", "PlimsollJSON"]),
        Room(
            "PlimsollPublishing",
            [
                "PlimsollPublishing", "PlimsollDocuments", "PlimsollDomain", "PlimsollSystem",
                "PlimsollJSON", "PlimsollLog", "PlimsollPostgres", "PlimsollStore",
                "PlimsollStore",
            ]
        ),
        Room(
            "PlimsollEdge",
            [
                "PlimsollDocuments", "PlimsollDomain", "PlimsollSystem", "PlimsollLog",
                "PlimsollSystem",
            ]
        ),
        Room("PlimsollAPI", ["PlimsollDomain", "PlimsollJSON"]),
        Room(
            "PlimsollHTTP",
            [
                "PlimsollAPI", "PlimsollDocuments", "PlimsollDomain", "PlimsollJSON",
                "PlimsollStore", "PlimsollStore", "PlimsollService",
            ]
        ),
        Room("PlimsollAPI", ["PlimsollAPI", "PlimsollDomain", "PlimsollJSON"]),
        Room("PlimsollWitness", ["PlimsollAPI", "PlimsollSystem", "PlimsollLog"]),
        Room(
            "PlimsollPublishing",
            [
                "PlimsollAPI", "PlimsollPublishing", "PlimsollDocuments", "PlimsollDomain",
                "PlimsollEdge", "PlimsollPublishing", "PlimsollSystem", "PlimsollJSON",
            ]
        ),
        Room(
            "PlimsollService",
            [
                "PlimsollAPI", "PlimsollAPI", "PlimsollDomain", "PlimsollSystem", "PlimsollJSON",
                "PlimsollPostgres", "PlimsollStore", "PlimsollStore", "PlimsollService",
            ]
        ),
        Room(
            "PlimsollServer",
            [
                "CLinux", "PlimsollAPI", "PlimsollAPI", "PlimsollPublishing", "PlimsollPostgres",
                "PlimsollDocuments", "PlimsollDomain", "PlimsollEdge", "PlimsollPublishing",
                "PlimsollSystem", "PlimsollHTTP", "PlimsollJSON", "PlimsollLog",
                "PlimsollPublishing", "PlimsollPostgres",
                "PlimsollStore", "PlimsollSystem", "PlimsollStore", "PlimsollService",
                "PlimsollService",
            ]
        ),
        Room(
            "PlimsollCommands",
            [
                "PlimsollAPI", "PlimsollAPI", "PlimsollDocuments", "PlimsollDomain",
                "PlimsollEdge", "PlimsollJSON", "PlimsollLog", "PlimsollServer",
                "PlimsollWitness",
            ]
        ),
        Room("plimsoll", ["PlimsollCommands"]),
        Room("PlimsollClient", ["Crypto", "Foundation", "FoundationNetworking"]),
        Room("PlimsollConfiguration", ["PlimsollClient"]),
        Room("PlimsollTestSupport", ["PlimsollPostgres", "PlimsollDomain", "PlimsollPostgres"]),
    ]

    /// Rooms that compute and touch nothing, and the one that apps link: for them the table names
    /// every library too.
    ///
    /// Elsewhere it governs our own modules, and the manifest governs the libraries.
    static let pure: Set = [
        "PlimsollJSON", "PlimsollDomain", "PlimsollDocuments", "PlimsollLog", "PlimsollClient",
    ]

    static func forbiddenImports(_ file: TextFile) -> [Finding] {
        guard let module = file.module, file.suffix == "swift", !file.isExample else { return [] }
        guard let room = table.first(where: { $0.module == module }) else {
            return [file.finding(1, "the room \(module) is not in the table of rooms")]
        }
        return imports(of: file).compactMap { imported, line in
            let isOurs = table.contains { $0.module == imported }
            guard isOurs || pure.contains(module) else { return nil }
            guard !room.mayImport.contains(imported) else { return nil }
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

    /// A room that may import one below it, or one that does not exist.
    static func upwardImports(in rooms: [Room]) -> [String] {
        zip(0..., rooms).flatMap { place, room in
            room.mayImport.filter { imported in
                imported.isOurs && !rooms[..<place].contains { $0.module == imported }
            }.map { "\(room.module) may not import \($0), which is not above it" }
        }
    }

    /// The table of rooms on a page: rows of module, what it holds, what it may import.
    static func rooms(on page: TextFile) -> [Room] {
        page.lines.compactMap { line in
            let cells = line.split(separator: "|").map { cell in
                cell.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }
                    .map { String($0.element) }
            }
            guard cells.count == 3, cells[0].count == 1 else { return nil }
            return Room(module: cells[0][0], mayImport: cells[2])
        }
    }
}

extension Rooms.Room {
    fileprivate init(_ module: String, _ mayImport: [String]) {
        self.init(module: module, mayImport: mayImport)
    }
}

extension String {
    fileprivate var isOurs: Bool {
        hasPrefix("Plimsoll") || ["CLibPQ", "CLinux"].contains(self)
    }
}

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
        Room("CReadiness", []),
        Room("CSockets", []),
        Room("PlimsollJSON", []),
        Room("PlimsollDomain", ["PlimsollJSON", "Foundation", "HashTreeCollections"]),
        Room("PlimsollDocuments", ["PlimsollDomain", "PlimsollJSON", "Crypto", "Foundation"]),
        Room("PlimsollLog", ["Crypto"]),
        Room("PlimsollFiles", []),
        Room("PlimsollSockets", ["CReadiness", "CSockets"]),
        Room("PlimsollPostgres", ["CLibPQ", "CReadiness"]),
        Room("PlimsollCluster", ["CReadiness", "PlimsollFiles", "PlimsollPostgres"]),
        Room(
            "PlimsollStore",
            [
                "PlimsollDomain", "PlimsollJSON", "PlimsollLog", "PlimsollPostgres",
            ]
        ),
        Room(
            "PlimsollProjection",
            [
                "PlimsollDomain", "PlimsollJSON", "PlimsollPostgres", "PlimsollStore",
            ]
        ),
        Room(
            "PlimsollUseCases",
            [
                "PlimsollDomain", "PlimsollJSON", "PlimsollPostgres", "PlimsollProjection",
                "PlimsollStore",
            ]
        ),
        Room("PlimsollAmazon", ["PlimsollDomain", "PlimsollJSON"]),
        Room(
            "PlimsollExport",
            [
                "PlimsollAmazon", "PlimsollDocuments", "PlimsollDomain", "PlimsollFiles",
                "PlimsollJSON", "PlimsollLog", "PlimsollPostgres", "PlimsollProjection",
                "PlimsollStore",
            ]
        ),
        Room(
            "PlimsollEdge",
            [
                "PlimsollDocuments", "PlimsollDomain", "PlimsollFiles", "PlimsollLog",
                "PlimsollSockets",
            ]
        ),
        Room("PlimsollAPI", ["PlimsollDomain", "PlimsollJSON"]),
        Room(
            "PlimsollHTTP",
            [
                "PlimsollAPI", "PlimsollDocuments", "PlimsollDomain", "PlimsollJSON",
                "PlimsollProjection", "PlimsollStore", "PlimsollUseCases",
            ]
        ),
        Room("PlimsollAdmin", ["PlimsollAPI", "PlimsollDomain", "PlimsollJSON"]),
        Room("PlimsollWitness", ["PlimsollAdmin", "PlimsollFiles", "PlimsollLog"]),
        Room(
            "PlimsollObjectStore",
            [
                "PlimsollAdmin", "PlimsollAmazon", "PlimsollDocuments", "PlimsollDomain",
                "PlimsollEdge", "PlimsollExport", "PlimsollFiles", "PlimsollJSON",
            ]
        ),
        Room(
            "PlimsollWebhooks",
            [
                "PlimsollAPI", "PlimsollAdmin", "PlimsollDomain", "PlimsollFiles", "PlimsollJSON",
                "PlimsollPostgres", "PlimsollProjection", "PlimsollStore", "PlimsollUseCases",
            ]
        ),
        Room(
            "PlimsollServer",
            [
                "CReadiness", "PlimsollAPI", "PlimsollAdmin", "PlimsollAmazon", "PlimsollCluster",
                "PlimsollDocuments", "PlimsollDomain", "PlimsollEdge", "PlimsollExport",
                "PlimsollFiles", "PlimsollHTTP", "PlimsollJSON", "PlimsollLog",
                "PlimsollObjectStore", "PlimsollPostgres",
                "PlimsollProjection", "PlimsollSockets", "PlimsollStore", "PlimsollUseCases",
                "PlimsollWebhooks",
            ]
        ),
        Room(
            "PlimsollCommands",
            [
                "PlimsollAPI", "PlimsollAdmin", "PlimsollDocuments", "PlimsollDomain",
                "PlimsollEdge", "PlimsollJSON", "PlimsollLog", "PlimsollServer",
                "PlimsollWitness",
            ]
        ),
        Room("plimsoll", ["PlimsollCommands"]),
        Room("PlimsollClient", ["Crypto", "Foundation", "FoundationNetworking"]),
        Room("PlimsollConfiguration", ["PlimsollClient"]),
        Room("PlimsollTestSupport", ["PlimsollCluster", "PlimsollDomain", "PlimsollPostgres"]),
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
        hasPrefix("Plimsoll") || ["CLibPQ", "CReadiness"].contains(self)
    }
}

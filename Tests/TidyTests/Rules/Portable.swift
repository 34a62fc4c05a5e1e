import Foundation

/// What keeps the command line buildable on macOS, where the service does not run.
///
/// `Package.swift` names the rooms of which the command line alone is made, and the commands that are
/// left out of it then. What stays may use only what there is on both systems. No Mac builds it here;
/// `scripts/command-line` builds it on Linux in the same shape.
struct Portable {
    private let rooms: Set<String>
    /// Folders and files that see the service.
    private let serverPaths: [String]
    /// What the files there declare, and nobody else does.
    private let serverNames: Set<String>

    private static let libraries: Set = [
        "ArgumentParser", "AsyncHTTPClient", "Crypto", "Foundation", "HashTreeCollections",
        "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL", "Subprocess", "Synchronization",
        "SystemPackage",
    ]

    /// Names of Linux's C library that Darwin's has not.
    private static let linuxNames: Set = [
        "MSG_NOSIGNAL", "SOCK_CLOEXEC", "SOCK_NONBLOCK", "O_TMPFILE", "O_PATH", "accept4",
        "epoll_create1", "epoll_wait", "eventfd", "getrandom", "gettid", "prctl", "renameat2",
        "sched_getaffinity", "signalfd", "timerfd_create",
    ]

    /// Reads the manifest; `nil` where it does not say what the command line alone is.
    init?(_ files: [TextFile]) {
        guard let manifest = files.first(where: { $0.path == "Package.swift" }),
            let rooms = Self.list("commandLineRooms", in: manifest),
            let paths = Self.list("serverCommands", in: manifest)
        else { return nil }
        self.rooms = Set(rooms)
        serverPaths = paths.map { "Sources/PlimsollCommands/\($0)" }
        let prefixes = serverPaths
        let (server, others) = files.filter { $0.module == "PlimsollCommands" }
            .reduce(into: (Set<String>(), Set<String>())) { names, file in
                let isServer = prefixes.contains { file.path.hasPrefix($0) }
                let declared = Self.declared(in: file)
                if isServer { names.0.formUnion(declared) } else { names.1.formUnion(declared) }
            }
        serverNames = server.subtracting(others)
    }

    /// Entries of the list that nothing in the tree is.
    func missing(_ files: [TextFile]) -> [String] {
        serverPaths.filter { path in
            !files.contains { $0.path == path || $0.path.hasPrefix("\(path)/") }
        }
    }

    func findings(_ file: TextFile) -> [Finding] {
        guard let module = file.module, rooms.contains(module), file.suffix == "swift",
            !serverPaths.contains(where: { file.path.hasPrefix($0) })
        else { return [] }
        let hidden = Self.linesForServers(of: file)
        return file.tokens.indices.compactMap { index in
            let token = file.tokens[index]
            guard !hidden.contains(token.line) else { return nil }
            return sentence(at: index, in: file).map { file.finding(token.line, $0) }
        }
    }

    private func sentence(at index: Int, in file: TextFile) -> String? {
        let token = file.tokens[index].text
        if token == "import", let name = file.tokens.dropFirst(index + 1).first?.text {
            let isKnown = rooms.contains(name) || Self.libraries.contains(name)
            return isKnown ? nil : "\(name) is not there on macOS; put it behind SERVER"
        }
        if Self.linuxNames.contains(token) { return "macOS has no \(token)" }
        // A member of something else may have the same name.
        let isMember = index > 0 && file.tokens[index - 1].text == "."
        return serverNames.contains(token) && !isMember
            ? "\(token) is declared among the commands of the service; put it behind SERVER" : nil
    }

    /// The lines between `#if SERVER` and its end, or its other branch.
    private static func linesForServers(of file: TextFile) -> Set<Int> {
        var lines: Set<Int> = []
        var branches: [Bool] = []
        for (number, line) in zip(1..., file.lines) {
            let words = line.split(separator: " ")
            switch words.first {
            case "#if":
                branches.append(words.dropFirst().first == "SERVER")
            // What stands there is built without the service too.
            case "#else": if !branches.isEmpty { branches[branches.count - 1] = false }
            case "#endif": branches = branches.dropLast()
            default: if branches.contains(true) { lines.insert(number) }
            }
        }
        return lines
    }

    /// The types and functions that other files see.
    private static func declared(in file: TextFile) -> Set<String> {
        let kinds: Set = ["struct", "enum", "class", "protocol", "actor", "typealias"]
        return Set(
            file.tokens.indices.dropFirst().compactMap { index in
                let isKind = kinds.contains(file.tokens[index - 1].text)
                let isPrivate = index > 1 && file.tokens[index - 2].text == "private"
                return isKind && !isPrivate ? file.tokens[index].text : nil
            }
        )
    }

    /// The strings of a list in the manifest.
    private static func list(_ name: String, in manifest: TextFile) -> [String]? {
        guard let start = manifest.text.range(of: "let \(name)"),
            let open = manifest.text[start.upperBound...].firstIndex(of: "["),
            let end = manifest.text[open...].firstIndex(of: "]")
        else { return nil }
        let parts = manifest.text[open..<end].split(
            separator: "\"",
            omittingEmptySubsequences: false
        )
        return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}

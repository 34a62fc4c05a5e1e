import Foundation

/// Looks for the programs that a private PostgreSQL needs.
func postgresFinding(isHere: Bool) -> Finding {
    guard isHere else {
        return .unchecked("PostgreSQL", "nobody said that the service runs on this machine")
    }
    if let url = environment["PLIMSOLL_DATABASE_URL"], !url.isEmpty {
        return .good("PostgreSQL", "PLIMSOLL_DATABASE_URL names a server; none is needed here")
    }
    let folders = postgresFolders()
    guard let folder = folders.first(where: hasServer) else {
        return .bad(
            "PostgreSQL",
            "no server is installed on this machine",
            "Install one (apt-get install postgresql), or set PLIMSOLL_DATABASE_URL."
        )
    }
    return .good("PostgreSQL", "a server is installed in \(folder)")
}

/// Debian keeps each version in a folder of its own, outside of the search path.
private func postgresFolders() -> [String] {
    let root = "/usr/lib/postgresql"
    // Where there is no such folder, nothing is in it.
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let searched = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(root)/\($0)/bin" }
        + searched
}

private func hasServer(_ folder: String) -> Bool {
    ["postgres", "initdb"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)")
    }
}

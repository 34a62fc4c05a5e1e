import PlimsollDomain
import PlimsollSystem
import PlimsollJSON

/// The names of principals beside a backup, which can be erased from it without touching the log.
struct NamesFile {
    let path: Path

    /// It is named as the backup, with `.names` behind it.
    init(beside backup: String) {
        path = Path("\(backup).names")
    }

    func write(_ names: [PrincipalID: String]) throws(FileError) {
        let file = try GrowingFile(path)
        for (id, name) in names.sorted(by: { $0.key.text < $1.key.text }) {
            let line: JSONObject = ["id": .string(id.text), "name": .string(name)]
            try file.append(line.canonicalBytes() + [UInt8(ascii: "\n")])
        }
        try file.finish()
    }

    /// The names; none where the file was left out.
    func read() throws -> [PrincipalID: String] {
        var names: [PrincipalID: String] = [:]
        var source: LineSource
        do throws(FileError) {
            source = try LineSource(path, lengthMaximum: 1 << 20)
        } catch {
            guard error.isMissing else { throw error }
            return [:]
        }
        while let line = try source.line() {
            var reader = try ObjectReader(parsing: line)
            let id = reader.string("id", needing: "the id of a principal") { PrincipalID($0) }
            let name = reader.string("name")
            let read = try reader.finish { id.flatMap { id in name.map { (id, $0) } } }
            names[read.0] = read.1
        }
        return names
    }
}

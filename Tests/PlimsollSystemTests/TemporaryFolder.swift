import Glibc
import PlimsollSystem

/// Runs the body with a new folder and removes it afterwards, whatever happens.
func withTemporaryFolder<Answer>(
    _ body: (Path) async throws -> Answer
) async throws -> Answer {
    let folder = Path("/tmp/plimsoll-files-\(getpid())-\(UInt64.random(in: 0 ... .max))")
    try folder.createFolder()
    do {
        let answer = try await body(folder)
        try folder.removeTree()
        return answer
    } catch {
        try folder.removeTree()
        throw error
    }
}

extension Path {
    func text() throws -> String {
        String(decoding: try read(sizeMaximum: 1 << 20), as: UTF8.self)
    }
}

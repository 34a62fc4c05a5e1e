import Foundation
import PlimsollSystem

/// A folder for as long as the body runs.
func withFolder<Result>(_ body: (Path) throws -> Result) throws -> Result {
    let url = try newFolder()
    defer { remove(url) }
    return try body(Path(url.path))
}

func withFolder<Result>(_ body: (Path) async throws -> Result) async throws -> Result {
    let url = try newFolder()
    defer { remove(url) }
    return try await body(Path(url.path))
}

private func newFolder() throws -> URL {
    let url = FileManager.default.temporaryDirectory
        .appending(path: "plimsoll-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
}

private func remove(_ url: URL) {
    // The test has said by now what it had to say.
    try? FileManager.default.removeItem(at: url)
}

import Foundation
package import PlimsollSystem

/// Runs the body with a new folder, which is gone afterwards.
package func withFolder<Answer>(_ body: (Path) throws -> Answer) throws -> Answer {
    let folder = try newFolder()
    // The test has said by then what it had to say.
    defer { try? folder.removeTree() }
    return try body(folder)
}

/// Runs the body with a new folder, which is gone afterwards.
package func withFolder<Answer>(_ body: (Path) async throws -> Answer) async throws -> Answer {
    let folder = try newFolder()
    defer { try? folder.removeTree() }
    return try await body(folder)
}

private func newFolder() throws -> Path {
    let folder =
        Path(FileManager.default.temporaryDirectory.path)
        / "plimsoll-test-\(UUID().uuidString)"
    try folder.createFolder()
    return folder
}

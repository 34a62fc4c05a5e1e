import Foundation

/// Runs the body with a file of that name and content, and removes it afterwards.
func withFile<Result>(
    _ name: String,
    _ content: [UInt8],
    _ body: (String) async throws -> Result
) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("plimsoll-commands-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(name)
    try Data(content).write(to: file)
    return try await body(file.path)
}

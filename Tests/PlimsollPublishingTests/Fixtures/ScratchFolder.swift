import Foundation
import PlimsollSystem

/// Runs the body with a folder of its own, which is gone afterwards.
func withScratchFolder<Result>(
    _ body: (Path) async throws -> Result
) async throws -> Result {
    let folder =
        Path(FileManager.default.temporaryDirectory.path)
        / "plimsoll-export-\(UUID().uuidString)"
    try folder.createFolder(permissions: .folderOfOwner)
    do {
        let result = try await body(folder)
        try folder.removeTree()
        return result
    } catch {
        // The first error explains; a folder left behind is only untidy.
        _ = try? folder.removeTree()
        throw error
    }
}

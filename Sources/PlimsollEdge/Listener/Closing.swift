/// Works, and closes what it worked with whatever came of it; the work's error is the one thrown.
func closing(
    _ close: () async throws -> Void,
    after work: () async throws -> Void
) async throws {
    do {
        try await work()
    } catch {
        try? await close()
        throw error
    }
    try await close()
}

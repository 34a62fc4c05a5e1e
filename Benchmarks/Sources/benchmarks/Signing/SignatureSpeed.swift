/// How often `openssl speed` signs a digest with P-256 in a second.
enum SignatureSpeed {
    static func measure(_ seconds: Int, onProcessor processor: Int? = nil) async throws -> Double {
        let command = ["openssl", "speed", "-seconds", "\(seconds)", "ecdsap256"]
        let pinned = processor.map { ["taskset", "-c", "\($0)"] } ?? []
        let output = try await Tool.output("env", pinned + command)
        // The last line ends with how often it signed and verified.
        let words = output.split(whereSeparator: \.isNewline).last?.split(separator: " ") ?? []
        guard words.count > 2, let rate = Double(words[words.count - 2]) else {
            throw Failure(sentence: "openssl was not understood:\n\(output)")
        }
        return rate
    }
}

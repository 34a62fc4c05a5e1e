/// Phones that asked once and keep their connections.
struct IdleConnections {
    private let connections: [HTTPConnection]

    init(_ count: Int, to port: UInt16) throws {
        connections = try (0..<count).map { _ in
            let connection = try HTTPConnection(port: port)
            let answer = try connection.send("HEAD", RunningService.documentPath)
            guard answer.status == 200 else {
                throw Failure(sentence: "an idle connection was answered \(answer.status)")
            }
            return connection
        }
    }

    /// Closes them all, once it is seen that the server has kept them.
    func close() throws {
        let lost = connections.count { !$0.isOpen }
        guard lost == 0 else {
            throw Failure(sentence: "\(lost) of \(connections.count) idle connections were closed")
        }
    }
}

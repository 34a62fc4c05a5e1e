import CBenchmarkSockets
import Foundation

/// One connection to a server on this machine, kept open; an answer follows each request.
///
/// It does as little as possible, so that what is measured is the server.
final class HTTPConnection {
    private let socket: FileHandle
    private var received = Data()

    private static let headEnd = Data("\r\n\r\n".utf8)

    init(port: UInt16) throws {
        let descriptor = sockets_connect(port)
        guard descriptor >= 0 else { throw Failure(sentence: "nobody listens on port \(port)") }
        socket = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func send(
        _ method: String,
        _ path: String,
        host: String = "localhost",
        fields: [(name: String, value: String)] = [],
        body: [UInt8] = []
    ) throws -> HTTPAnswer {
        var request = "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n"
        for (name, value) in fields { request += "\(name): \(value)\r\n" }
        if method != "GET" { request += "Content-Length: \(body.count)\r\n" }
        try socket.write(contentsOf: Data((request + "\r\n").utf8) + body)
        return try answer(to: method)
    }

    /// Whether the server keeps it open, with nothing more to say.
    var isOpen: Bool { sockets_are_quiet(socket.fileDescriptor) != 0 }

    private func answer(to method: String) throws -> HTTPAnswer {
        var end = received.firstRange(of: Self.headEnd)
        while end == nil {
            try receive()
            end = received.firstRange(of: Self.headEnd)
        }
        let bodyStart = end?.upperBound ?? received.endIndex
        var answer = try HTTPAnswer(head: received[..<bodyStart])
        received = Data(received[bodyStart...])
        guard method != "HEAD" else { return answer }
        while received.count < answer.length { try receive() }
        answer.body = Array(received.prefix(answer.length))
        received = Data(received.dropFirst(answer.length))
        return answer
    }

    private func receive() throws {
        let bytes = socket.availableData
        guard !bytes.isEmpty else { throw Failure(sentence: "the server closed the connection") }
        received += bytes
    }
}

/// What a server answered.
struct HTTPAnswer {
    let status: Int
    /// By their names in lower case.
    let fields: [String: String]
    fileprivate(set) var body: [UInt8] = []

    fileprivate init(head: Data) throws {
        let lines = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { throw Failure(sentence: "the server does not speak HTTP") }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        self.status = status
        self.fields = fields
    }

    fileprivate var length: Int {
        status == 304 ? 0 : fields["content-length"].flatMap { Int($0) } ?? 0
    }
}

import NIOCore

/// An answer as it stood on the wire.
struct Answer {
    let status: Int
    let statusLine: String
    let fields: [(name: String, value: String)]
    let body: [UInt8]

    subscript(_ name: String) -> String? {
        let values = fields.filter { $0.name.lowercased() == name.lowercased() }
        return values.count == 1 ? values[0].value : nil
    }

    func has(_ name: String) -> Bool {
        fields.contains { $0.name.lowercased() == name.lowercased() }
    }

    /// The fields but the date, as they stood on the wire.
    var timeless: [String] {
        fields.filter { $0.name != "Date" }.map { "\($0.name): \($0.value)" }
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// Takes a whole answer off the front; nil when there is none yet.
    init?(reading buffer: inout ByteBuffer, headOnly: Bool) {
        let view = buffer.readableBytesView
        let end = Array("\r\n\r\n".utf8)
        guard let headEnd = view.firstRange(of: end) else { return nil }
        let head = String(decoding: view[view.startIndex..<headEnd.lowerBound], as: UTF8.self)
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
        statusLine = String(lines[0])
        status = statusLine.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (
                String(parts[0]),
                parts.dropFirst().first.map { String($0.dropFirst()) } ?? ""
            )
        }
        let length = fields.first { $0.name.lowercased() == "content-length" }
            .flatMap { Int($0.value) }
        let bodyLength = headOnly || status == 304 ? 0 : length ?? 0
        let headLength = headEnd.upperBound - view.startIndex
        guard buffer.readableBytes >= headLength + bodyLength else { return nil }
        buffer.moveReaderIndex(forwardBy: headLength)
        body = buffer.readBytes(length: bodyLength) ?? []
    }
}

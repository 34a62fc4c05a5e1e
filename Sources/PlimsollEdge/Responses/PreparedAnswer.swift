import NIOCore

/// A whole answer in bytes, made before anybody asked.
///
/// The head begins with the status line and the `Date`, so that both a new date and a
/// `Connection: close` have a known place.
struct PreparedAnswer: Sendable {
    let status: AnswerStatus
    var bytes: ByteBuffer
    let headLength: Int

    /// Where a field may be put in: after the status line.
    let statusLineLength: Int

    init(status: AnswerStatus, fields: [(String, String)], body: [UInt8]) {
        self.status = status
        let statusLine = "HTTP/1.1 \(status.code) \(status.reason)\r\n"
        var head = statusLine + "Date: \(HTTPDate.placeholder)\r\n"
        for (name, value) in fields {
            head += "\(name): \(value)\r\n"
        }
        head += "\r\n"
        statusLineLength = statusLine.utf8.count
        headLength = head.utf8.count
        bytes = ByteBuffer(string: head)
        bytes.writeBytes(body)
    }

    /// Writes a date over the one that is there.
    ///
    /// Answers on their way out keep theirs: the buffer copies itself while they share it.
    mutating func setDate(_ date: ByteBuffer) {
        let place = statusLineLength + "Date: ".utf8.count
        precondition(date.readableBytes == HTTPDate.length, "all dates have one length")
        bytes.setBuffer(date, at: place)
    }

    /// What is sent: everything, or the head alone for `HEAD`.
    func content(headOnly: Bool) -> ByteBuffer {
        headOnly ? slice(0..<headLength) : bytes
    }

    /// The same with `Connection: close`, in three pieces, so that nothing is copied.
    func closingContent(headOnly: Bool) -> [ByteBuffer] {
        let end = headOnly ? headLength : bytes.readableBytes
        return [slice(0..<statusLineLength), Self.closeField, slice(statusLineLength..<end)]
    }

    private func slice(_ range: Range<Int>) -> ByteBuffer {
        guard let slice = bytes.getSlice(at: range.lowerBound, length: range.count) else {
            preconditionFailure("a head is part of its answer")
        }
        return slice
    }

    private static let closeField = ByteBuffer(string: "Connection: close\r\n")
}

import NIOCore
import NIOHPACK

/// An answer as HTTP/2 sends it: the very fields and the body that were prepared for HTTP/1.1.
struct StreamAnswer {
    let fields: HPACKHeaders
    /// Nil where there is none, or none that was asked for.
    let body: ByteBuffer?

    init(_ answer: PreparedAnswer, headOnly: Bool) {
        let length = answer.headLength - answer.statusLineLength
        let head = answer.bytes.getString(at: answer.statusLineLength, length: length) ?? ""
        var fields = HPACKHeaders([(":status", String(answer.status.code))])
        for line in head.split(separator: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields.add(
                name: line[..<colon].lowercased(),
                value: String(line[colon...].dropFirst(2))
            )
        }
        self.fields = fields
        let bodyLength = answer.bytes.readableBytes - answer.headLength
        body =
            headOnly || bodyLength == 0
            ? nil : answer.bytes.getSlice(at: answer.headLength, length: bodyLength)
    }
}

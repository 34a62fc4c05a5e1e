import Hummingbird
import NIOCore
import PlimsollAPI
import PlimsollJSON
import PlimsollStore

/// A form in which the record is written out, whole, as a stream.
///
/// Its last line says that nothing is missing: how many events there were, the last one's
/// position, how far the record went, and the newest checkpoint over it. Whoever does not find it
/// has not got everything.
struct ExportForm: Sendable {
    let mediaType: MediaType
    /// What stands before the first event.
    let head: String
    let event: @Sendable (EventAnswer, inout CanonicalWriter) -> Void
    let end: @Sendable (ExportEnd) -> String

    /// One event a line, and `{"end": …}`.
    static let lines = ExportForm(
        mediaType: .ndjson,
        head: "",
        event: { event, page in
            event.write(to: &page)
            page.literal("\n")
        },
        end: {
            let line: JSONObject = ["end": .object($0.json)]
            return String(decoding: line.canonicalBytes(), as: UTF8.self) + "\n"
        }
    )

    /// Writes part by part, no faster than the reader reads, while the next part is read.
    ///
    /// Whoever loses the right to read in the middle gets no more, and no end.
    func body(
        of reading: RecordReading,
        requiring right: @escaping @Sendable () throws -> Void
    ) -> ResponseBody {
        ResponseBody { writer in
            var page = CanonicalWriter(capacity: 1 << 18)
            page.literal(head)
            var (part, reading) = try await reading.next()
            while !part.isEmpty {
                let current = reading
                async let next = current.next()
                try right()
                for found in part { event(EventAnswer(found), &page) }
                try await writer.write(ByteBuffer(bytes: page.bytes))
                page.removeAll()
                (part, reading) = try await next
            }
            let end = ExportEnd(
                count: reading.count,
                last: reading.last,
                position: reading.end,
                checkpoint: try await reading.checkpoint()
            )
            page.literal(self.end(end))
            try await writer.write(ByteBuffer(bytes: page.bytes))
            try await writer.finish(nil)
        }
    }
}

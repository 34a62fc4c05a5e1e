/// What is answered to who asks for a file on the disk.
struct FileAnswer {
    let head: PreparedAnswer
    let body: FilePart?

    init(_ file: OpenFile, to request: LateRequest) {
        let facts = file.facts
        let common = [
            ("ETag", facts.tag.fieldValue(.identity)),
            ("Cache-Control", facts.cacheControl),
            ("Accept-Ranges", "bytes"),
        ]
        guard !request.isKnown(facts.tag) else {
            head = PreparedAnswer(status: .notModified, fields: common, body: [])
            body = nil
            return
        }
        let content = [
            ("Content-Type", facts.mediaType), ("X-Content-Type-Options", "nosniff"),
        ]
        let whole = 0..<facts.size
        switch request.range(of: facts) {
        case .whole:
            let length = [("Content-Length", String(facts.size))]
            head = PreparedAnswer(status: .ok, fields: content + length + common, body: [])
            body = request.headOnly || whole.isEmpty ? nil : file.part(whole)
        case .part(let range):
            let place = [
                ("Content-Length", String(range.count)),
                (
                    "Content-Range",
                    "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(facts.size)"
                ),
            ]
            head = PreparedAnswer(status: .partial, fields: content + place + common, body: [])
            body = file.part(range)
        case .unsatisfiable:
            let place = [
                ("Content-Length", "0"), ("Content-Range", "bytes */\(facts.size)"),
                ("Cache-Control", "no-store"),
            ]
            head = PreparedAnswer(status: .rangeUnsatisfiable, fields: place, body: [])
            body = nil
        }
    }
}

extension LateRequest {
    /// RFC 9110, sections 13.1.5 and 14.2: what another file was meant to be continued with is
    /// answered whole, and so is what cannot be read, or asks for several parts.
    fileprivate func range(of facts: FileFacts) -> ByteRange {
        guard let range else { return .whole }
        if let rangeCondition, rangeCondition != Array(facts.tag.fieldValue(.identity).utf8) {
            return .whole
        }
        return ByteRange(range, size: facts.size)
    }
}

/// Which bytes of a file are asked for (RFC 9110, section 14.1.2).
enum ByteRange: Equatable {
    case whole
    case part(Range<Int64>)
    /// It begins behind the end.
    case unsatisfiable

    init(_ value: [UInt8], size: Int64) {
        let text = String(decoding: value, as: UTF8.self)
        guard let unit = text.firstIndex(of: "="), text[..<unit].lowercased() == "bytes" else {
            self = .whole
            return
        }
        let ends = text[text.index(after: unit)...]
            .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1])
        else {
            self = .whole
            return
        }
        switch (first, last) {
        case (nil, nil): self = .whole
        case (nil, let count?): self = Self.within(max(0, size - count)..<size)
        case (let first?, nil): self = Self.within(min(first, size)..<size)
        case (let first?, let last?):
            guard first <= last else {
                self = .whole
                return
            }
            self = Self.within(min(first, size)..<min(last, size - 1) + 1)
        }
    }

    private static func within(_ range: Range<Int64>) -> ByteRange {
        range.isEmpty ? .unsatisfiable : .part(range)
    }

    /// `nil` inside for no digits; one that is larger than any file is as good as the largest.
    private static func number(_ text: Substring) -> Int64?? {
        guard text.utf8.allSatisfy(\.isDigit) else { return nil }
        if text.isEmpty { return .some(nil) }
        return .some(Int64(text) ?? .max)
    }
}

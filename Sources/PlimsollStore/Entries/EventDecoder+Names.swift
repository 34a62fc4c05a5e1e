import FoundationEssentials
import PlimsollDomain
import PlimsollPostgres
import PlimsollSystem

/// What recently came of the names in entries.
struct Names: Sendable {
    var actors = Memo<PrincipalID>(upTo: 64)
    var authentications = Memo<Authentication>(upTo: 64)
    var days = Memo<Int64>(upTo: 64)
    var reasons = Memo<Reason>(upTo: 512)
    var streams = Memo<StreamName>(upTo: 72)
    var types = Memo<EventType>(upTo: 64)
    var apps = Memo<AppSlug>(upTo: 64)
    var digests = Memo<ChangeDigest>(upTo: 72)
    var keys = Memo<KeyID>(upTo: 64)
    var languages = Memo<LanguageTag>(upTo: 64)
    var parts = Memo<TextPart>(upTo: 64)
    var platforms = Memo<Platform>(upTo: 64)
    var texts = Memo<Text>(upTo: 512)
    var thresholds = Memo<ThresholdName>(upTo: 64)
    var versions = Memo<AppleVersion>(upTo: 64)
}

extension EventDecoder {
    mutating func actor(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) throws(EntryError) -> PrincipalID {
        let start = cursor
        let name = entry.extracting(try cursor.name(entry))
        let actor = names.actors.value(of: name) { PrincipalID(String(copying: name)) }
        guard let actor else { throw start.malformed(needed: "a principal") }
        return actor
    }

    mutating func authentication(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) throws(EntryError) -> Authentication {
        let start = cursor
        let name = entry.extracting(try cursor.name(entry))
        let authentication = names.authentications.value(of: name) {
            Authentication(String(copying: name))
        }
        guard let authentication else { throw start.malformed(needed: "an authentication") }
        return authentication
    }

    /// The events of an append have one reason, so it is checked once.
    mutating func reason(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) throws(EntryError) -> Reason? {
        guard cursor.skip(#","reason":"#, entry) else { return nil }
        let start = cursor
        if cursor.skip("\"", entry), let (range, hasEscapes) = cursor.string(entry) {
            let reason = names.reasons.value(of: entry.extracting(range)) {
                start.content(entry, range, hasEscapes: hasEscapes)
                    .flatMap { try? Reason(validating: $0) }
            }
            if let reason, cursor.skip("\"", entry) { return reason }
        }
        cursor = start
        guard let reason = try? Reason(validating: try cursor.text(entry)) else {
            throw start.malformed(needed: "a reason")
        }
        return reason
    }

    mutating func request(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) throws(EntryError) -> String? {
        guard cursor.skip(#","request":"#, entry) else { return nil }
        let start = cursor
        if cursor.skip("\"", entry), let request = cursor.content(entry),
            cursor.skip("\"", entry)
        {
            return request
        }
        cursor = start
        return try cursor.text(entry)
    }

    mutating func stream(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) throws(EntryError) -> StreamName {
        let start = cursor
        let name = entry.extracting(try cursor.name(entry))
        guard let stream = stream(named: name) else { throw start.malformed(needed: "a stream") }
        return stream
    }

    /// Nearly every event of a change is the only one of that name for long, so these are not
    /// looked for among those that were seen lately.
    mutating func stream(named name: Span<UInt8>) -> StreamName? {
        var cursor = EntryCursor()
        guard cursor.skip("change/", name) else {
            return names.streams.value(of: name) { StreamName(String(copying: name)) }
        }
        guard let number = try? cursor.count(name), cursor.index == name.count else { return nil }
        return ChangeID(rawValue: number).map(StreamName.change)
    }

    mutating func type(named name: Span<UInt8>) -> EventType? {
        names.types.value(of: name) {
            let text = String(copying: name)
            let type = EventType(rawValue: text)
            // To Swift the sign for kelvin is a K as well; a column may have it, and nobody finds that.
            return type.flatMap { $0.rawValue.utf8.elementsEqual(text.utf8) ? $0 : nil }
        }
    }

    /// `2026-11-21T08:00:00.000Z`: the day is remembered, the rest are digits.
    mutating func instant(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) throws(EntryError) -> Instant {
        let start = cursor
        let written = entry.extracting(try cursor.name(entry))
        guard written.count == 24, let time = milliseconds(ofTime: written.extracting(10..<24))
        else { throw start.malformed(needed: "a time in UTC with milliseconds") }
        let date = written.extracting(0..<10)
        let day = names.days.value(of: date) {
            Instant(rfc3339: "\(String(copying: date))T00:00:00.000Z")?.millisecondsSince1970
        }
        guard let day else { throw start.malformed(needed: "a date") }
        return Instant(millisecondsSince1970: day + time)
    }
}

extension String {
    init(copying bytes: Span<UInt8>) {
        self.init(decoding: [UInt8](copying: bytes), as: UTF8.self)
    }
}

/// Milliseconds since midnight from `T08:00:00.000Z`, or `nil` where it reads otherwise.
private func milliseconds(ofTime text: Span<UInt8>) -> Int64? {
    guard text.has("T", at: 0), text.has(":", at: 3), text.has(":", at: 6), text.has(".", at: 9),
        text.has("Z", at: 13), let hours = number(text, 1..<3), let minutes = number(text, 4..<6),
        let seconds = number(text, 7..<9), let milliseconds = number(text, 10..<13),
        hours < 24, minutes < 60, seconds < 60
    else { return nil }
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds
}

private func number(_ text: Span<UInt8>, _ digits: Range<Int>) -> Int64? {
    var number: Int64 = 0
    for index in digits {
        let digit = text[index] &- 0x30
        guard digit < 10 else { return nil }
        number = number * 10 + Int64(digit)
    }
    return number
}

/// Where an operation stands: alone as the data of an event, which says its name, or in a list.
enum OperationPlace {
    case alone, listed
}

extension EventDecoder {
    mutating func operations(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) -> [Operation]? {
        guard cursor.skip(#"{"operations":["#, entry) else { return nil }
        var operations: [Operation] = []
        operations.reserveCapacity(8)
        while !cursor.skip("]", entry) {
            guard operations.isEmpty || cursor.skip(",", entry),
                let operation = operation(entry, &cursor, .listed)
            else { return nil }
            operations.append(operation)
        }
        return cursor.skip("}", entry) ? operations : nil
    }

    /// Reads one operation, whose members say by being there what it edits.
    ///
    /// In the order of their names they are language, op, part, platform, text, threshold, value.
    mutating func operation(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor,
        _ place: OperationPlace
    ) -> Operation? {
        guard cursor.skip("{", entry) else { return nil }
        guard cursor.skip(#""language":""#, entry) else {
            return thresholdOperation(entry, &cursor, place)
        }
        return textOperation(entry, &cursor, place)
    }

    private mutating func thresholdOperation(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor,
        _ place: OperationPlace
    ) -> Operation? {
        let isSetting = place == .listed && cursor.skip(#""op":"setValue","#, entry)
        let isClearing = place == .listed && cursor.skip(#""op":"clearThreshold","#, entry)
        guard place == .alone || isSetting || isClearing,
            cursor.skip(#""platform":""#, entry), let platform = platform(entry, &cursor),
            cursor.skip(#"","threshold":""#, entry), let threshold = threshold(entry, &cursor)
        else { return nil }
        if !isSetting, cursor.skip(#""}"#, entry) {
            return Operation(platform, threshold, .clearThreshold)
        }
        guard !isClearing, cursor.skip(#"","value":"#, entry),
            let value = version(entry, &cursor), cursor.skip("}", entry)
        else { return nil }
        return Operation(platform, threshold, .setValue(value))
    }

    private mutating func textOperation(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor,
        _ place: OperationPlace
    ) -> Operation? {
        guard let language = language(entry, &cursor) else { return nil }
        let isSetting = place == .listed && cursor.skip(#"","op":"setText"#, entry)
        let isRemoving = place == .listed && cursor.skip(#"","op":"removeText"#, entry)
        guard place == .alone || isSetting || isRemoving,
            cursor.skip(#"","part":""#, entry), let part = part(entry, &cursor),
            cursor.skip(#"","platform":""#, entry), let platform = platform(entry, &cursor)
        else { return nil }
        var edit = Operation.Edit.removeText(part, language)
        if !isRemoving, cursor.skip(#"","text":""#, entry) {
            guard let text = text(entry, &cursor) else { return nil }
            edit = .setText(part, language, text)
        } else if isSetting {
            return nil
        }
        guard cursor.skip(#"","threshold":""#, entry), let threshold = threshold(entry, &cursor),
            cursor.skip(#""}"#, entry)
        else { return nil }
        return Operation(platform, threshold, edit)
    }

    private mutating func version(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) -> VersionValue? {
        guard cursor.skip("\"", entry) else {
            guard let number = try? cursor.count(entry) else { return nil }
            return AndroidVersion(number).map(VersionValue.integer)
        }
        guard let range = try? cursor.name(entry), cursor.skip("\"", entry) else { return nil }
        let name = entry.extracting(range)
        return names.versions.value(of: name) { AppleVersion(String(copying: name)) }
            .map(VersionValue.dotted)
    }

    /// Texts are long, and each stands twice: as it was proposed and as it was applied.
    private mutating func text(_ entry: Span<UInt8>, _ cursor: inout EntryCursor) -> Text? {
        guard let (range, hasEscapes) = cursor.string(entry) else { return nil }
        return names.texts.value(of: entry.extracting(range)) {
            cursor.content(entry, range, hasEscapes: hasEscapes)
                .flatMap { try? Text(validating: $0) }
        }
    }

    private mutating func language(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) -> LanguageTag? {
        guard let range = try? cursor.name(entry) else { return nil }
        let name = entry.extracting(range)
        return names.languages.value(of: name) { LanguageTag(String(copying: name)) }
    }

    private mutating func part(_ entry: Span<UInt8>, _ cursor: inout EntryCursor) -> TextPart? {
        guard let range = try? cursor.name(entry) else { return nil }
        let name = entry.extracting(range)
        return names.parts.value(of: name) { TextPart(rawValue: String(copying: name)) }
    }

    private mutating func platform(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) -> Platform? {
        guard let range = try? cursor.name(entry) else { return nil }
        let name = entry.extracting(range)
        return names.platforms.value(of: name) { Platform(rawValue: String(copying: name)) }
    }

    private mutating func threshold(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) -> ThresholdName? {
        guard let range = try? cursor.name(entry) else { return nil }
        let name = entry.extracting(range)
        return names.thresholds.value(of: name) { ThresholdName(rawValue: String(copying: name)) }
    }
}

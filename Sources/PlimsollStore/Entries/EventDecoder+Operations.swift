import PlimsollDomain
import PlimsollPostgres

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

/// SQL with its parameters, written as a literal.
///
/// ```swift
/// let events: Statement = "SELECT entry FROM log.event WHERE position > \(position)"
/// // text: "SELECT entry FROM log.event WHERE position > $1", one parameter
/// ```
///
/// What is interpolated becomes a parameter with a type; literals are `StaticString`. So no
/// text made at run time can become SQL, save quoted identifiers and whole embedded files.
package struct Statement: Sendable {
    package private(set) var text: String
    private(set) var parameters: Parameters

    private init(text: String, parameters: Parameters) {
        self.text = text
        self.parameters = parameters
    }

    /// Takes the bytes of an embedded `.sql` file.
    package init(file bytes: [UInt8]) {
        self.init(text: String(decoding: bytes, as: UTF8.self), parameters: Parameters())
    }
}

extension Statement: ExpressibleByStringInterpolation {
    package init(stringLiteral value: StaticString) {
        self.init(text: value.description, parameters: Parameters())
    }

    package init(stringInterpolation: StringInterpolation) {
        self.init(text: stringInterpolation.text, parameters: stringInterpolation.parameters)
    }

    /// Builds a statement piece by piece, as the compiler reads the literal.
    package struct StringInterpolation: StringInterpolationProtocol {
        package typealias StringLiteralType = StaticString

        fileprivate var text = ""
        fileprivate var parameters = Parameters()

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 3)
        }

        package mutating func appendLiteral(_ literal: StaticString) {
            text += literal.description
        }

        package mutating func appendInterpolation(_ value: some PostgresValue) {
            parameters.append(value)
            text += "$\(parameters.count)"
        }

        /// SQL as it stands in the source, chosen at run time.
        package mutating func appendInterpolation(raw literal: StaticString) {
            text += literal.description
        }

        /// A number in the text itself, for `COPY` and `SET`, which take no parameters.
        package mutating func appendInterpolation(literal number: Int64) {
            text += "\(number)"
        }

        /// A quoted text in the text itself, for what takes no parameters.
        package mutating func appendInterpolation(literal string: String) {
            text += quotedLiteral(string)
        }

        /// A name, quoted, whatever it is made of.
        package mutating func appendInterpolation(identifier name: String) {
            text += quotedIdentifier(name)
        }
    }
}

/// Quotes a name so that it is read as written.
///
/// It cannot hold a NUL, which ends the text.
func quotedIdentifier(_ name: String) -> String {
    var quoted = "\""
    for scalar in name.unicodeScalars where scalar != "\0" {
        if scalar == "\"" { quoted += "\"" }
        quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
}

/// Quotes a text so that it is read as written, whatever `standard_conforming_strings` says.
func quotedLiteral(_ string: String) -> String {
    var quoted = " E'"
    for scalar in string.unicodeScalars where scalar != "\0" {
        if scalar == "'" || scalar == "\\" { quoted.unicodeScalars.append(scalar) }
        quoted.unicodeScalars.append(scalar)
    }
    return quoted + "'"
}

/// The values of a statement in their binary form, in one buffer.
struct Parameters: Sendable {
    private(set) var types: [UInt32] = []
    private var writer = ValueWriter()
    /// Where each value ends; `~end` for `NULL`, which has no bytes.
    private var ends: [Int] = []

    var count: Int { types.count }

    mutating func append<Value: PostgresValue>(_ value: Value) {
        types.append(Value.postgresType.rawValue)
        if value.isNull {
            ends.append(~writer.bytes.count)
        } else {
            value.write(to: &writer)
            ends.append(writer.bytes.count)
        }
    }

    /// Lends the arrays that libpq asks for: values, lengths and formats (all binary).
    func withPointers(
        _ body: (
            _ values: UnsafePointer<UnsafePointer<CChar>?>?,
            _ lengths: UnsafePointer<CInt>?,
            _ formats: UnsafePointer<CInt>?
        ) -> CInt
    ) -> CInt {
        guard count > 0 else { return body(nil, nil, nil) }
        return unsafe writer.bytes.withUnsafeBufferPointer { bytes in
            unsafe withUnsafeTemporaryAllocation(
                of: UnsafePointer<CChar>?.self,
                capacity: count
            ) { values in
                unsafe withUnsafeTemporaryAllocation(of: CInt.self, capacity: count * 2) { sizes in
                    unsafe fill(values, sizes, from: bytes)
                    let lengths = unsafe UnsafePointer(sizes.baseAddress)
                    return unsafe body(
                        UnsafePointer(values.baseAddress),
                        lengths,
                        lengths.map { unsafe $0 + count }
                    )
                }
            }
        }
    }

    private func fill(
        _ values: UnsafeMutableBufferPointer<UnsafePointer<CChar>?>,
        _ sizes: UnsafeMutableBufferPointer<CInt>,
        from bytes: UnsafeBufferPointer<UInt8>
    ) {
        // An empty value must not be a null pointer, that would be NULL.
        let nothing = UnsafeRawPointer(sizes.baseAddress)
        let base = unsafe UnsafeRawPointer(bytes.baseAddress) ?? nothing
        var start = 0
        for (index, end) in ends.enumerated() {
            let value = unsafe end < 0 ? nil : base.map { unsafe $0 + start }
            unsafe values.initializeElement(
                at: index,
                to: value?.assumingMemoryBound(to: CChar.self)
            )
            unsafe sizes.initializeElement(at: index, to: end < 0 ? 0 : CInt(end - start))
            unsafe sizes.initializeElement(at: count + index, to: 1)
            start = end < 0 ? ~end : end
        }
    }
}

/// Which statements a session keeps prepared: those used at least twice, the latest used.
struct StatementCache {
    private struct Key: Hashable {
        let text: String
        let types: [UInt32]

        init(_ statement: Statement) {
            text = statement.text
            types = statement.parameters.types
        }
    }

    private struct Entry {
        let name: String
        var columns: Columns?
        var lastUse: Int
    }

    /// What to do with a statement.
    enum Plan: Equatable {
        case sendUnprepared
        case prepare(name: String)
        case usePrepared(name: String)
    }

    private let capacity: Int
    private var entries: [Key: Entry] = [:]
    private var seenOnce: Set<Key> = []
    private var useCount = 0
    private var nameCount = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// To prepare pays from the second use on.
    mutating func use(_ statement: Statement) -> Plan {
        guard capacity > 0 else { return .sendUnprepared }
        let key = Key(statement)
        useCount += 1
        if let entry = entries[key] {
            entries[key]?.lastUse = useCount
            return .usePrepared(name: entry.name)
        }
        guard seenOnce.remove(key) != nil else {
            if seenOnce.count >= capacity { seenOnce.removeAll(keepingCapacity: true) }
            seenOnce.insert(key)
            return .sendUnprepared
        }
        nameCount += 1
        return .prepare(name: "s\(nameCount)")
    }

    /// Remembers what was prepared; answers the name of the statement that has to go for it.
    mutating func prepared(_ statement: Statement, as name: String) -> String? {
        entries[Key(statement)] = Entry(name: name, columns: nil, lastUse: useCount)
        guard entries.count > capacity,
            let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return nil }
        entries[oldest.key] = nil
        return oldest.value.name
    }

    /// The server does not know it any more, or not in this form; answers whether it was known.
    mutating func forget(_ statement: Statement) -> String? {
        entries.removeValue(forKey: Key(statement))?.name
    }

    /// The columns of a prepared statement do not change, so they are read once.
    func columns(of statement: Statement) -> Columns? { entries[Key(statement)]?.columns }

    mutating func remember(_ columns: Columns, of statement: Statement) {
        entries[Key(statement)]?.columns = columns
    }
}

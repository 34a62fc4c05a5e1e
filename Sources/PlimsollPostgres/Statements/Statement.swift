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

    /// Takes the bytes of an embedded `.sql` file, and the values of its `$1`, `$2`, ….
    package init(file bytes: [UInt8], _ values: any PostgresValue...) {
        var parameters = Parameters()
        for value in values { parameters.append(value) }
        self.init(text: String(decoding: bytes, as: UTF8.self), parameters: parameters)
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

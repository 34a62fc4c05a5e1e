/// Markup, written as a literal whose holes are escaped.
///
/// Literals are `StaticString`, so no text made at run time can become markup.
package struct HTML: Equatable, Sendable {
    package private(set) var text: String

    /// One after the other, with nothing between them.
    package init(joining parts: some Sequence<HTML>) {
        text = parts.map(\.text).joined()
    }
}

extension HTML: ExpressibleByStringInterpolation {
    package init(stringLiteral value: StaticString) { text = value.description }

    package init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// What a literal is put together from.
    package struct StringInterpolation: StringInterpolationProtocol {
        package typealias StringLiteralType = StaticString

        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 32)
        }

        package mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

        package mutating func appendInterpolation(_ markup: HTML) { text += markup.text }

        package mutating func appendInterpolation(_ words: String) { text += words.escapedAsMarkup }
    }
}

extension HTML {
    /// A sentence in which words between backticks are code.
    package init(sentence: String) {
        let parts = sentence.split(separator: "`", omittingEmptySubsequences: false)
        self.init(
            joining: parts.enumerated().map { index, part in
                index.isMultiple(of: 2) ? "\(String(part))" : "<code>\(String(part))</code>"
            }
        )
    }
}

extension String {
    /// The same as a text of a page, in which nothing is markup.
    ///
    /// Scalars are looked at, not characters: a bracket beside a combining mark is one with it, and a
    /// bracket to browsers all the same.
    package var escapedAsMarkup: String {
        var text = ""
        text.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

import Configuration
import Foundation
import PlimsollClient

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension ConfigContent {
    /// The value as that type; `nil` where it is of another one.
    init?(_ value: JSONValue, _ type: ConfigType) {
        let content: ConfigContent? =
            switch type {
            case .string: value.string.map(ConfigContent.string)
            case .int: value.int.map(ConfigContent.int)
            case .double: value.double.map(ConfigContent.double)
            case .bool: value.bool.map(ConfigContent.bool)
            case .bytes: value.bytes.map(ConfigContent.bytes)
            case .stringArray: value.all(\.string).map(ConfigContent.stringArray)
            case .intArray: value.all(\.int).map(ConfigContent.intArray)
            case .doubleArray: value.all(\.double).map(ConfigContent.doubleArray)
            case .boolArray: value.all(\.bool).map(ConfigContent.boolArray)
            case .byteChunkArray: value.all(\.bytes).map(ConfigContent.byteChunkArray)
            }
        guard let content else { return nil }
        self = content
    }
}

extension JSONValue {
    fileprivate var int: Int? {
        if case .integer(let number) = self { Int(exactly: number) } else { nil }
    }

    fileprivate var double: Double? {
        switch self {
        case .integer(let number): Double(exactly: number)
        case .number(let number): number
        default: nil
        }
    }

    fileprivate var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    fileprivate var bytes: [UInt8]? {
        string.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
    }

    /// The elements of an array, if every one is of the type.
    fileprivate func all<Element>(_ element: (JSONValue) -> Element?) -> [Element]? {
        guard case .array(let values) = self else { return nil }
        let elements = values.compactMap(element)
        return elements.count == values.count ? elements : nil
    }
}

import PlimsollDomain
import PlimsollJSON

/// Reads a request straight from the bytes, as devices write it.
///
/// It says what ``DeviceRequest`` says, or nothing: whatever it does not recognise, good or bad, is
/// read through a tree.
struct StraightRequestReader {
    private var index = 0

    mutating func request(_ bytes: Span<UInt8>) -> DeviceRequest? {
        guard bytes.count <= DeviceRequest.limits.sizeMaximum, skip("{", bytes) else { return nil }
        var apps: [DeviceRequest.App]?
        var (platform, system): (PackagePlatform?, AppleVersion?)
        repeat {
            switch name(bytes) {
            case "apps" where apps == nil:
                apps = self.apps(bytes)
                guard apps != nil else { return nil }
            case "platform" where platform == nil:
                platform = text(bytes).flatMap { PackagePlatform($0) }
                guard platform != nil else { return nil }
            case "osVersion" where system == nil:
                system = text(bytes).flatMap { AppleVersion($0) }
                guard system != nil else { return nil }
            default: return nil
            }
        } while skip(",", bytes)
        guard let apps, let platform, let system, skip("}", bytes), isEnd(bytes) else { return nil }
        return DeviceRequest(
            each: apps,
            device: InstallingDevice(platform: platform, system: system)
        )
    }

    private mutating func apps(_ bytes: Span<UInt8>) -> [DeviceRequest.App]? {
        guard skip("[", bytes) else { return nil }
        var apps: [DeviceRequest.App] = []
        repeat {
            guard apps.count < DeviceRequest.appsMaximum, let app = app(bytes) else { return nil }
            apps.append(app)
        } while skip(",", bytes)
        return skip("]", bytes) ? apps : nil
    }

    private mutating func app(_ bytes: Span<UInt8>) -> DeviceRequest.App? {
        guard skip("{", bytes) else { return nil }
        var (item, version): (UInt64?, UInt64?)
        repeat {
            switch name(bytes) {
            case "appleItemId" where item == nil:
                item = number(bytes)
                guard item != nil else { return nil }
            case "appleVersionId" where version == nil:
                version = number(bytes)
                guard version != nil else { return nil }
            default: return nil
            }
        } while skip(",", bytes)
        guard let item = item.flatMap(AppleItemID.init(number:)), let version, skip("}", bytes)
        else { return nil }
        return DeviceRequest.App(item: item, version: AppleVersionID(number: version))
    }

    // MARK: Parts

    /// What a member is called, with the colon behind it.
    private mutating func name(_ bytes: Span<UInt8>) -> String? {
        guard let name = text(bytes), skip(":", bytes) else { return nil }
        return name
    }

    /// A string of ASCII without escapes.
    private mutating func text(_ bytes: Span<UInt8>) -> String? {
        guard skip("\"", bytes) else { return nil }
        let start = index
        while index < bytes.count, Self.isPlain(bytes[index]) { index += 1 }
        let text = try? String(copying: UTF8Span(validating: bytes.extracting(start..<index)))
        return closeQuote(bytes) ? text : nil
    }

    /// A string of decimal digits, as the number is written.
    private mutating func number(_ bytes: Span<UInt8>) -> UInt64? {
        guard skip("\"", bytes) else { return nil }
        let start = index
        var number: UInt64 = 0
        while index < bytes.count, (0x30...0x39).contains(bytes[index]) {
            let (product, first) = number.multipliedReportingOverflow(by: 10)
            let (sum, second) = product.addingReportingOverflow(UInt64(bytes[index] - 0x30))
            guard !first, !second else { return nil }
            number = sum
            index += 1
        }
        let count = index - start
        let isCanonical = count == 1 || count > 1 && bytes[start] != 0x30
        return isCanonical && closeQuote(bytes) ? number : nil
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// A blank before it would be part of the string.
    private mutating func closeQuote(_ bytes: Span<UInt8>) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return false }
        index += 1
        return true
    }

    /// Goes behind the sign, and the blanks before it, where it comes now.
    private mutating func skip(_ sign: Unicode.Scalar, _ bytes: Span<UInt8>) -> Bool {
        skipBlanks(bytes)
        guard index < bytes.count, bytes[index] == UInt8(ascii: sign) else { return false }
        index += 1
        return true
    }

    private mutating func isEnd(_ bytes: Span<UInt8>) -> Bool {
        skipBlanks(bytes)
        return index == bytes.count
    }

    private mutating func skipBlanks(_ bytes: Span<UInt8>) {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }
}

import ArgumentParser
import Foundation
import PlimsollAPI
import PlimsollDomain

// How values of the domain are written on the command line: as everywhere else.

extension AppSlug: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension Platform: ExpressibleByArgument {}

extension WebhookFormat: ExpressibleByArgument {}

extension Position: ExpressibleByArgument {
    init?(argument: String) {
        guard let number = Int64(argument) else { return nil }
        self.init(rawValue: number)
    }
}

extension Instant: ExpressibleByArgument {
    init?(argument: String) { self.init(rfc3339: argument) }
}

extension Field: ExpressibleByArgument {
    init?(argument: String) { self.init(path: argument) }
}

extension ChangeID: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension ChangeState: ExpressibleByArgument {}

extension ChangeDigest: ExpressibleByArgument {
    init?(argument: String) { self.init(hex: argument) }
}

extension LanguageTag: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension KeyID: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension TokenID: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension WebhookID: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension DocumentProfile: ExpressibleByArgument {}

extension PrinceOfVersionsClients: ExpressibleByArgument {}

/// A path as seen from the root, since the database server works in another folder.
func absolutePath(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
}

/// Reads a file that a person named; `-` is standard input.
func contents(of path: String, upTo bytesMaximum: Int = 4 << 20) throws -> [UInt8] {
    do {
        let handle =
            path == "-"
            ? FileHandle.standardInput
            : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        let data = try handle.read(upToCount: bytesMaximum + 1) ?? Data()
        guard data.count <= bytesMaximum else {
            throw Failure(.failed, "\(path) is too large; at most \(bytesMaximum) bytes are read.")
        }
        return Array(data)
    } catch let failure as Failure {
        throw failure
    } catch {
        throw Failure(.failed, "\(path) cannot be read: \(cause(of: error)).")
    }
}

private func cause(of error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileReadNoSuchFile, .fileNoSuchFile: "there is no such file"
    case .fileReadNoPermission: "you may not read it"
    default: "it is not a readable file"
    }
}

import Foundation

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
